"""What staging leaves in the work folder, what it tells the driver, and reading it back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from lawful.errors import LawfulError
from lawful.ranks.coding import Coded
from lawful.ranks.folder import Folder
from lawful.ranks.infer import TextSummary
from lawful.source.pieces import BadRows

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Fault:
    """An error of the person's input, met in a task: it comes back as a value, since trying again is no use."""

    kind: str
    message: str
    hint: str | None

    @classmethod
    def of(cls, problem: LawfulError) -> Fault:
        """The error as a value."""
        return cls(type(problem).__name__, problem.message, problem.hint)

    def error(self) -> LawfulError:
        """The error again, of its own class."""
        import lawful.errors

        kind: type[LawfulError] = getattr(lawful.errors, self.kind)
        return kind(self.message, hint=self.hint)


@dataclass(frozen=True)
class Staged:
    """A chunk of rows: the ``number``-th of piece ``part`` of file ``file``. ``types`` are Arrow types in IPC form."""

    file: int
    part: int
    number: int
    path: str
    rows: int
    names: tuple[str, ...]
    schema: bytes
    codes: str
    values: str
    nulls: tuple[int, ...]
    distinct: tuple[int, ...]
    summaries: tuple[TextSummary, ...] = field(default=())

    @property
    def place(self) -> tuple[int, int, int]:
        return (self.file, self.part, self.number)

    def bare(self) -> Staged:
        """What later steps need, without what is for the driver alone."""
        return replace(self, schema=b"", summaries=())

    def types(self) -> pa.Schema:
        """The Arrow types of the columns."""
        return pa.ipc.read_schema(pa.py_buffer(self.schema))


@dataclass(frozen=True)
class Reading:
    """What reading some pieces gave: chunks in the order of rows, bad records, and errors by their place."""

    chunks: tuple[Staged, ...] = ()
    bad: tuple[tuple[tuple[int, int], BadRows], ...] = ()
    faults: tuple[tuple[tuple[int, int], Fault], ...] = ()

    def merge(self, other: Reading) -> Reading:
        return Reading(
            tuple(sorted((*self.chunks, *other.chunks), key=lambda c: c.place)),
            tuple(sorted((*self.bad, *other.bad), key=lambda b: b[0])),
            tuple(sorted((*self.faults, *other.faults), key=lambda f: f[0])),
        )

    def bad_rows(self) -> BadRows:
        total = BadRows()
        for _, bad in self.bad:
            total = total.merge(bad)
        return total


@dataclass(frozen=True)
class Cells:
    """A staged chunk read back."""

    chunk: Staged
    folder: Folder

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        codes = np.frombuffer(self.folder.read(self.chunk.codes), np.int32)
        return codes.reshape(len(self.chunk.names), self.chunk.rows)

    @cached_property
    def _values(self) -> pa.RecordBatch:
        return pa.ipc.open_file(pa.BufferReader(self.folder.read(self.chunk.values))).get_batch(0)

    def coded(self, column: int, *, rows: bool) -> Coded:
        """One column, as it was coded; without ``rows`` its values alone, which spares reading the codes."""
        values = self._values.column(column).values
        return Coded(values, self.codes[column] if rows else np.zeros(0, np.int32))
