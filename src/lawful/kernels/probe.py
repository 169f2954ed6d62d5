"""The smallest kernel there is: shows that Numba compiles on this machine and where it keeps what it compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit


@njit(cache=True, nogil=True)
def _total(values: Any) -> int:
    total = 0
    for value in values:
        total += value
    return total


def compiles() -> bool:
    """Whether a compiled sum comes out right; the first call compiles, later ones and later processes do not."""
    values: npt.NDArray[np.int64] = np.arange(10, dtype=np.int64)
    return int(_total(values)) == 45


def cache_folder() -> str:
    """The folder that holds compiled kernels from one run to the next."""
    return str(_total.stats.cache_path)
