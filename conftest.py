"""Loads the Hypothesis profiles before any test module is read."""

pytest_plugins = ["tests.profiles"]
