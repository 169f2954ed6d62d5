"""Where work runs: the contract (`port`), threads of this process (`local`), and Spark (`spark`)."""

from lawful.engine.local import LocalEngine
from lawful.engine.port import PAUSE, Engine, Job, Pause, Shared, Table, Weighted

__all__ = ["PAUSE", "Engine", "Job", "LocalEngine", "Pause", "Shared", "Table", "Weighted"]
