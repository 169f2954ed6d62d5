"""The benchmark ground: tables, measurements and suites (``python -m bench --list``)."""
