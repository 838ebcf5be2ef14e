"""How the reference shows fields of options: with their defaults, not with the calls that declare them."""

from __future__ import annotations

from typing import Any

import griffe

# The functions of `distinctly.options` that declare a field; the first argument is its default.
_DECLARE = ("option", "setting", "hidden")
_VIEW = "view_option"  # declares a text that is empty by default


class Defaults(griffe.Extension):
    """Replaces ``n: int = option(1, at_least=1)`` by ``n: int = 1``, and leaves out private fields."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Change the value of a field when it is read."""
        if not isinstance(attr.value, griffe.ExprCall):
            return
        name = str(attr.value.function)
        if name in (*_DECLARE, _VIEW) and attr.name.startswith("_"):
            attr.labels.discard("instance-attribute")  # what is of the class alone is no parameter
        elif name in _DECLARE and attr.value.arguments:
            first = attr.value.arguments[0]
            attr.value = first.value if isinstance(first, griffe.ExprKeyword) else first
        elif name == _VIEW:
            attr.value = '""'
