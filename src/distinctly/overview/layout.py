"""Vectors in the plane: UMAP with a seed, or principal components of few vectors."""

from __future__ import annotations

import contextlib
import importlib.util
import warnings

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import missing_extra

Plane = NDArray[np.float64]
Rows = NDArray[np.float32]
# Fewer different vectors than this are laid out by their principal components.
LEAST_FOR_UMAP = 15
NEIGHBOURS, EPOCHS = 15, 200
# Vectors that are searched for neighbours together.
BLOCK = 1024


def check_installed() -> None:
    """Raise if the package that lays out the map is missing, before anything is measured."""
    # Importing it takes seconds; what is replaced by None in `sys.modules` has no spec.
    with contextlib.suppress(ValueError):
        if importlib.util.find_spec("umap") is not None:
            return
    raise missing_extra("The map of texts", "umap-learn", "report")


def layout(vectors: Rows, seed: int) -> Plane:
    """Return a place in the plane for each unit vector; vectors with small angles are near each other.

    Examples
    --------
    >>> layout(np.eye(3, dtype=np.float32), 0).shape
    (3, 2)
    """
    start = _components(vectors)
    if len(np.unique(vectors.round(5), axis=0)) < LEAST_FOR_UMAP:
        return _spread(start)
    check_installed()
    scale = float(np.abs(start).max()) or 1.0
    # Noise separates vectors that are equal in their first components.
    jitter = np.random.default_rng(seed).normal(scale=1e-4, size=start.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import umap

        model = umap.UMAP(
            n_neighbors=min(NEIGHBOURS, len(vectors) - 1),
            metric="cosine",
            random_state=seed,
            n_jobs=1,
            n_epochs=EPOCHS,
            init=(start / scale * 10 + jitter).astype(np.float32),
            precomputed_knn=_nearest(vectors, min(NEIGHBOURS, len(vectors) - 1)),
        )
        places = np.asarray(model.fit_transform(vectors), np.float64)
    return places if np.isfinite(places).all() else _spread(start)


def _components(vectors: Rows) -> Plane:
    """Return the first two principal components; their signs do not depend on the library."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    covariance = centred.T @ centred
    axes = np.linalg.eigh(covariance)[1][:, ::-1][:, :2]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])] + 1e-300)
    places = centred @ axes
    return np.pad(places, ((0, 0), (0, 2 - places.shape[1])))


def _spread(places: Plane) -> Plane:
    """Move points that lie on one another apart, along a spiral."""
    extent = float(np.ptp(places, axis=0).max()) or 1.0
    _, which = np.unique((places / extent).round(6), axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    labels = which.ravel()[order]
    first = np.searchsorted(labels, labels, "left")
    number = np.arange(len(labels)) - first
    angle, radius = number * 2.399963, 0.02 * extent * np.sqrt(number)
    moved: Plane = places.copy()
    moved[order] += np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    return moved


def _nearest(vectors: Rows, count: int) -> tuple[NDArray[np.int64], Rows]:
    """Return the places of the nearest vectors of each, itself the first, and the cosine distances."""
    places = np.empty((len(vectors), count), np.int64)
    distances = np.empty((len(vectors), count), np.float32)
    for start in range(0, len(vectors), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(vectors)))
        similarity = vectors[rows] @ vectors.T
        similarity[np.arange(len(rows)), rows] = 2
        nearest = np.argpartition(-similarity, count - 1, axis=1)[:, :count]
        values = np.take_along_axis(similarity, nearest, axis=1)
        order = np.lexsort((nearest, -values), axis=1)
        places[rows] = np.take_along_axis(nearest, order, axis=1)
        distances[rows] = np.clip(1 - np.take_along_axis(values, order, axis=1), 0, 2)
    return places, distances
