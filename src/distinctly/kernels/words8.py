"""Reading of eight bytes at once from any position of a buffer, which numba does not offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.cgutils import create_struct_proxy
from numba.extending import intrinsic
from numpy.typing import NDArray

struct_proxy: Any = create_struct_proxy


@intrinsic
def _load8(_context: Any, data: Any, _place: Any) -> Any:
    """Read ``data[place:place + 8]`` as a little-endian 64-bit number. The bytes must exist."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = struct_proxy(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(data, types.uintp), generate


load8 = cast("Callable[[NDArray[np.uint8], np.uintp], np.uint64]", _load8)
