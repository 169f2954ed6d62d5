"""One short recipe per family of rules: how its candidates, evidence and rules fit together."""
