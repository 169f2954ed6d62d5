"""The shape of the papers' experiments on order dependencies, drawn again on tables that are here."""
