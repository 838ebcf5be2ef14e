"""The order in which annotators see methods and packages: balanced, and different for each annotator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distinctly.ragged import Integers


def williams_squares(methods: int) -> list[list[list[int]]]:
    """Return one Latin square for an even number of methods, two for an odd number.

    In a square, each method stands in each column once. Over all rows of the squares, each method stands
    directly to the right of each other one equally often (Williams, 1949), so that no method profits from
    always being seen after the same one.

    Examples
    --------
    >>> williams_squares(4)
    [[[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]]
    >>> len(williams_squares(3))
    2
    """
    first = [(step + 1) // 2 if step % 2 else -step // 2 % methods for step in range(methods)]
    square = [[(method + shift) % methods for method in first] for shift in range(methods)]
    return [square] if methods % 2 == 0 else [square, [row[::-1] for row in square]]


def column_orders(methods: int, packages: int, annotator: int, seed: int) -> list[list[int]]:
    """Return the methods of each package, from left to right, as one annotator sees them.

    Among each `methods` successive packages, each method stands in each column once. As long as there are no
    more annotators than methods, no two of them see a package in the same order.

    Parameters
    ----------
    methods, packages
        The number of methods and of packages.
    annotator
        The number of the annotator, from 0.
    seed
        The seed of the study.
    """
    squares = williams_squares(methods)
    # Annotators who have the same row of the square get other names for its entries.
    names = np.random.default_rng([seed, 1, annotator // methods]).permutation(methods).tolist()
    orders = []
    for package in range(packages):
        square = squares[(package // methods + annotator) % len(squares)]
        orders.append([names[method] for method in square[(package + annotator) % methods]])
    return orders


def package_order(packages: int, annotator: int, seed: int) -> Integers:
    """Return the packages in the order in which one annotator sees them."""
    order: Integers = np.random.default_rng([seed, 2, annotator]).permutation(packages)
    return order


def column_counts(orders: Sequence[Sequence[int]]) -> Integers:
    """Return how often each method, in rows, stands in each column.

    Examples
    --------
    >>> column_counts([[0, 1], [1, 0], [0, 1]]).tolist()
    [[2, 1], [1, 2]]
    """
    table = np.array(orders)
    return np.array([(table == method).sum(axis=0) for method in range(table.shape[1])])
