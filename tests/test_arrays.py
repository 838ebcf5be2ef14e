"""One thread of the numerical libraries for small products."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from distinctly import arrays
from distinctly.arrays import CPU, threads_for


def threads() -> set[int]:
    """Return the numbers of threads of the libraries for linear algebra."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def _two_threads() -> Iterator[None]:
    with threadpool_limits(2, "blas"):
        if threads() != {2}:
            pytest.skip("the library for linear algebra has one thread")
        yield


def test_small_products_use_one_thread() -> None:
    with threads_for(arrays.SMALL_PRODUCT):
        assert threads() == {1}
        with threads_for(1):
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}
    with threads_for(arrays.SMALL_PRODUCT + 1):
        assert threads() == {2}


def test_the_number_of_threads_is_restored_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), threads_for(1):
        raise ZeroDivisionError
    assert threads() == {2}


def test_the_thread_that_came_first_restores_the_number() -> None:
    inside, leave = threading.Event(), threading.Event()

    def wait() -> None:
        with threads_for(1), threads_for(1):
            inside.set()
            leave.wait()

    thread = threading.Thread(target=wait)
    with threads_for(1):
        thread.start()
        inside.wait()
        assert threads() == {1}
    assert threads() == {2}
    leave.set()
    thread.join()
    assert threads() == {2}
    with threads_for(1):
        assert threads() == {1}
    assert threads() == {2}


def test_a_product_does_not_depend_on_the_number_of_threads() -> None:
    # 256 x 350 by 350 x 256: OpenBLAS adds up in another order on two threads.
    draw = np.random.default_rng(0)
    left, right = draw.standard_normal((256, 350)), draw.standard_normal((256, 350))
    on_two = CPU.products(left, right), CPU.products(left, left)
    with threadpool_limits(1, "blas"):
        on_one = CPU.products(left, right), CPU.products(left, left)
    assert all(np.array_equal(*pair) for pair in zip(on_two, on_one))
