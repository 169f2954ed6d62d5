"""A review on disk that a discovery brings up to date."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lawful.errors import OptionError

if TYPE_CHECKING:
    from lawful.rules import RuleSet
    from lawful.rules.review import Review


@dataclass(frozen=True)
class Reviewed:
    """The file, and what it held before the search; nothing where it is new."""

    path: str
    review: Review | None

    @staticmethod
    def before(path: str) -> Reviewed:
        """Reads the file before the search, so that a mistake in it is told at once."""
        from lawful.rules.review import Review
        from lawful.rules.reviewfile import is_review

        if not is_review(path):
            raise OptionError(f"update is {path!r}, which is no review.", hint="Give a name that ends in .yaml.")
        return Reviewed(path, Review.load(path) if Path(path).exists() else None)

    def update(self, rules: RuleSet) -> str:
        """Writes the rules with the verdicts of old, and says what came of them."""
        from lawful.rules.review import Review

        old = self.review or Review(rules.with_rules([]))
        new = old.updated(rules)
        new.save(self.path)
        known = {rule.id for rule in old.rules}
        fresh = sum(rule.id not in known for rule in rules)
        statuses = Counter(new.of(rule).status for rule in new.rules)
        counts = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items()))
        lost = sum(not new.of(rule).found for rule in new.rules) + len(new.gone)
        missing = f"; {lost:,} reviewed but not found again" if lost else ""
        return f"{self.path}: {len(new.rules):,} rules ({counts or 'none'}), {fresh:,} of them new{missing}"
