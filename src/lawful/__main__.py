"""``python -m lawful`` is the command ``lawful``."""

from __future__ import annotations

import sys

from lawful.cli import main

if __name__ == "__main__":
    sys.exit(main())
