"""Suite ``encode``: from files to ranks, against pandas; memory; Spark end to end; start-up times."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.encode_calls import CALLS, WORKERS, same_answers
from bench.files import ROOT, Form, arrow_bytes, checksum, written
from bench.fresh import in_fresh_process
from bench.measure import MIB, interleaved, least_wall
from bench.results import Row, Scale, Suite, judged, peer_module
from lawful.errors import JobError, MissingError

WARM_ROWS = 2_000
COLUMNS = 15
NO_PANDAS = "pandas is not installed: neither compared nor checked"


def speed(form: Form, most: float, scale: Scale) -> Iterator[Row]:
    """From one file to ranks: later calls turn by turn with pandas, then the first call of a process."""
    path = written("tax", scale.rows, form)
    peers = ["pandas"] if peer_module("pandas") else []
    calls = {who: lambda who=who: CALLS[who](str(path)) for who in ("ours", *peers)}
    timings = interleaved(calls, scale.repeats, same_answers)
    mine, theirs = timings["ours"].steady.cpu, timings["pandas"].steady.cpu if peers else None
    yield Row(
        f"{form} to ranks, {scale.rows:,} × {COLUMNS}",
        ours=mine,
        peer=theirs,
        peer_name=f"pandas read_{form}, factorize(sort=True)",
        goal=f"≤ {most} × pandas",
        met=judged(mine / theirs if theirs else None, most, scale),
        limit=rates(mine, scale.rows, path),
        note="" if peers else NO_PANDAS,
        figures={who: timing.figures() for who, timing in timings.items()},
    )
    first = {who: in_fresh_process("bench.encode_calls:first_call", who=who, path=str(path)) for who in calls}
    yield Row(
        f"{form} to ranks, first call of a process",
        ours=first["ours"]["cpu"],
        peer=first["pandas"]["cpu"] if peers else None,
        peer_name="pandas, its import included",
        note="imports and compiling included; compiled code kept on disk by an earlier run is used",
        figures=first,
    )


def memory(scale: Scale) -> Iterator[Row]:
    """Peak above the loaded, warm process while Parquet becomes ranks."""
    path, warm = written("tax", scale.rows), written("tax", WARM_ROWS)
    table = arrow_bytes(path)
    peers = ["pandas"] if peer_module("pandas") else []
    peaks = {
        who: in_fresh_process("bench.encode_calls:peak_above", who=who, path=str(path), warm=str(warm))
        for who in ("ours", *peers)
    }
    yield Row(
        f"parquet to ranks, peak memory, {scale.rows:,} × {COLUMNS}",
        ours=peaks["ours"] / MIB,
        unit="MiB",
        peer=peaks["pandas"] / MIB if peers else None,
        peer_name="pandas",
        goal=f"< 3 × Arrow's {table / MIB:.0f} MiB",
        met=judged(peaks["ours"], 3 * table - 1, scale),
        limit=f"{peaks['ours'] / table:.2f} × Arrow's size; the ranks alone {scale.rows * COLUMNS * 4 / MIB:.0f} MiB",
        note="" if peers else NO_PANDAS,
        figures={"peaks": peaks, "arrow_bytes": table},
    )


def spark(scale: Scale) -> Iterator[Row]:
    """The same file through Spark on this machine, held against the same work in process."""
    name = f"parquet to ranks on Spark local[{WORKERS}], {scale.rows:,} × {COLUMNS}"
    if peer_module("pyspark") is None:
        yield Row(name, note="PySpark is not installed")
        return
    path = written("tax", scale.rows)
    far, near = (
        in_fresh_process("bench.encode_calls:end_to_end", who=who, path=str(path), repeats=scale.repeats)
        for who in ("spark", "ours")
    )
    if far["digest"] != near["digest"]:
        message = "Spark and this process rank the same file differently."
        raise JobError(message, hint="Compare the columns one by one before timing anything.")
    above = (far["driver_peak_bytes"] - far["ranks_bytes"]) / MIB
    yield Row(
        name,
        ours=far["cpu"],
        peer=near["cpu"],
        peer_name="lawful in process",
        limit=rates(far["cpu"], scale.rows, path),
        note=f"JVM and workers included; {far['wall']:.2f} s wall, in process {near['wall']:.2f} s",
        figures={"spark": far, "in_process": near},
    )
    yield Row(f"Spark local[{WORKERS}], session start", ours=far["session"]["wall"], unit="s wall")
    yield Row(f"Spark local[{WORKERS}], first call after it", ours=far["first_wall"], unit="s wall")
    yield Row(
        "Spark, resident memory of the driver's Python above the ranks",
        ours=above,
        unit="MiB",
        goal="≤ 512 MiB",
        met=judged(above, 512, scale),
        limit="interpreter and libraries included",
    )


def start_up(scale: Scale) -> Iterator[Row]:
    """Whole commands from start to end, the interpreter's own start included."""
    script = Path(sys.executable).with_name("lawful")
    if not script.exists():
        raise MissingError("The command `lawful` is not installed beside this Python.", hint="Run: pip install -e .")
    times = 3 if scale.smoke else 10
    bare = least_wall([sys.executable, "-c", "pass"], times, ROOT).steady.wall
    commands = {
        "import lawful": ([sys.executable, "-c", "import lawful"], 0.15),
        "lawful --help": ([str(script), "--help"], 0.3),
    }
    for name, (command, most) in commands.items():
        timing = least_wall(command, times, ROOT)
        yield Row(
            name,
            ours=timing.steady.wall,
            unit="s wall",
            goal=f"< {most} s",
            met=judged(timing.steady.wall, most, scale),
            limit=f"the bare interpreter {bare:.3f} s; least of {times}",
            figures={**timing.figures(), "bare_wall": bare},
        )


def rates(cpu: float, rows: int, path: Path) -> str:
    """Cells and bytes of the file a CPU second."""
    return f"{rows * COLUMNS / cpu / 1e6:.1f} M cells/s, {path.stat().st_size / cpu / 1e6:.0f} MB of file/s"


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    forms: tuple[Form, ...] = ("parquet", "csv")
    return {f"tax-{scale.rows}.{form}": checksum(written("tax", scale.rows, form)) for form in forms}


suite = Suite(
    about="From files to order-preserving ranks: speed and memory against pandas, Spark end to end, start-up.",
    cases={
        "parquet": lambda scale: speed("parquet", 1.5, scale),
        "csv": lambda scale: speed("csv", 1.0, scale),
        "memory": memory,
        "spark": spark,
        "start-up": start_up,
    },
    data=data,
)
