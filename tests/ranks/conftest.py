"""Comparisons made outside of test modules explain themselves too."""

import pytest

pytest.register_assert_rewrite("tests.ranks.both")
