"""Views of arrays in compiled code: an address and a length, made in place.

Numba's own slices would count references, several times in every kernel, and a function that
returns one does not compile without the counting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

Access = TypeVar("Access", bound=Callable[..., Any])


def section_access(function: Access) -> Access:
    """Let kernels call `function(floats, ints, section)` or `function(ints, section)`: a view of
    the first argument, from where to where the second or only one says. Python runs it as it is."""
    lower_builtin(function, types.Array, types.Integer)(_view_section)
    lower_builtin(function, types.Array, types.Array, types.Integer)(_view_section)
    type_callable(function)(_typer_of(function.__code__.co_argcount))
    return function


def row_access(function: Access) -> Access:
    """The same for `function(values, k, n)`: row k of a matrix with rows of n."""
    lower_builtin(function, types.Array, types.Integer, types.Integer)(_view_row)
    type_callable(function)(_typer_of(3))
    return function


def _typer_of(arguments: int) -> Callable[..., Any]:
    """A view has the type of the first argument."""

    def of_two(values: Any, _section: Any) -> Any:
        return values

    def of_three(values: Any, _second: Any, _third: Any) -> Any:
        return values

    def typer(_context: Any) -> Callable[..., Any]:
        return of_two if arguments == 2 else of_three

    return typer


def _view_section(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """values[directory[2 section] : directory[2 section + 1]]."""
    directory = make_array(signature.args[-2])(context, builder, arguments[-2])
    one, section = context.get_constant(types.intp, 1), _index(context, builder, arguments[-1])
    first = builder.shl(section, one)
    second = builder.add(first, one)
    begin = builder.load(builder.gep(directory.data, [first]))
    end = builder.load(builder.gep(directory.data, [second]))
    return _view(context, builder, signature, arguments, begin, builder.sub(end, begin))


def _view_row(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """values[k n : k n + n]."""
    row, size = (_index(context, builder, value) for value in arguments[1:])
    return _view(context, builder, signature, arguments, builder.mul(row, size), size)


def _index(context: Any, builder: Any, value: Any) -> Any:
    """A whole number as wide as an address."""
    wide = context.get_value_type(types.intp)
    return builder.sext(value, wide) if value.type.width < wide.width else value


def _view(
    context: Any, builder: Any, signature: Any, arguments: Any, begin: Any, length: Any
) -> Any:
    """`length` elements of the first argument from `begin` on."""
    kind = signature.return_type
    values = make_array(kind)(context, builder, arguments[0])
    view = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    populate_array(
        view,
        data=builder.gep(values.data, [begin]),
        shape=cgutils.pack_array(builder, [length]),
        strides=cgutils.pack_array(builder, [size]),
        itemsize=size,
        meminfo=None,
        parent=None,
    )
    return view._getvalue()
