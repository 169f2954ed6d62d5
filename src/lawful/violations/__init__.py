"""A rule and the rows of a table: how many pairs and rows break it, which they are, and what would mend it."""
