"""What all tests share: search profiles, a scratch folder of their own, and one Spark session."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tests.profiles  # noqa: F401  loads the Hypothesis profile of this run

ROOT = Path(__file__).parent.parent
CONNECT = "LAWFUL_TEST_CONNECT"
"""Set by the test that runs the Spark tests once more, in a process of their own, through Spark Connect."""

SETTINGS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session", autouse=True)
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Tests map their tables in a scratch folder that ends with them."""
    folder = tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWFUL_SCRATCH", str(folder))
        yield folder


@pytest.fixture(scope="session")
def spark(scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The session of all Spark tests: two slots, two attempts a task; classic, or Connect where `CONNECT` is set."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("needs Java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        if os.environ.get(CONNECT):
            patch.setenv("SPARK_TESTING", "1")  # the server then takes any free port: others may use the usual one
        session = _started(tmp_path_factory.mktemp("spark"))
        yield session
        session.stop()


def _started(folder: Path) -> Any:
    from pyspark.sql import SparkSession

    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    settings = SETTINGS | {"spark.sql.warehouse.dir": str(folder), "spark.local.dir": str(folder)}
    if os.environ.get(CONNECT):
        return SparkSession.builder.config(map=settings).remote("local[2,2]").getOrCreate()
    session = SparkSession.builder.config(map=settings).master("local[2,2]").getOrCreate()
    session.sparkContext.setLogLevel("OFF")  # tasks that fail on purpose would print long traces
    return session
