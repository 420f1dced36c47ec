"""Views of an arena's sections in compiled code: an address and a length, made in place.

Numba's own slices would count references and check bounds, several times in every kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

Access = TypeVar("Access", bound=Callable[..., Any])


def access(function: Access) -> Access:
    """Let kernels call `function(floats, ints, section)` or `function(ints, section)`: a view of
    the first argument. Python runs it as it is written."""
    lower_builtin(function, types.Array, types.Integer)(_make_view)
    lower_builtin(function, types.Array, types.Array, types.Integer)(_make_view)
    type_callable(function)(_typer_of(function.__code__.co_argcount))
    return function


def _typer_of(arguments: int) -> Callable[..., Any]:
    """A view has the type of its arena."""

    def of_ints(ints: Any, section: Any) -> Any:
        return ints

    def of_floats(floats: Any, ints: Any, section: Any) -> Any:
        return floats

    def typer(context: Any) -> Callable[..., Any]:
        return of_ints if arguments == 2 else of_floats

    return typer


def _make_view(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """arena[directory[2 section] : directory[2 section + 1]]."""
    kind = signature.return_type
    arena = make_array(kind)(context, builder, arguments[0])
    directory = make_array(signature.args[-2])(context, builder, arguments[-2])
    index = context.get_value_type(types.intp)
    section = (
        builder.sext(arguments[-1], index) if signature.args[-1].bitwidth < 64 else arguments[-1]
    )
    first = builder.shl(section, index(1))
    begin = builder.load(builder.gep(directory.data, [first]))
    end = builder.load(builder.gep(directory.data, [builder.add(first, index(1))]))
    view = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    populate_array(
        view,
        data=builder.gep(arena.data, [begin]),
        shape=cgutils.pack_array(builder, [builder.sub(end, begin)]),
        strides=cgutils.pack_array(builder, [size]),
        itemsize=size,
        meminfo=None,
        parent=None,
    )
    return view._getvalue()
