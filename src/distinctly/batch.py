"""`Batch`: some texts of a corpus, as a source yields them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import InputError
from distinctly.hashing import Hashes, hash_rows, sequence
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Letters, Strings

# The first texts of a corpus, which can be quoted: at most this number of them, of about this size.
FIRST, FIRST_BYTES = 200, 1_000_000
# Of rows that were skipped, this number of places is kept, each with at most this number of characters.
PLACES, LONGEST_PROBLEM = 20, 120
# The number of tokens that show whether tokens are numbers.
_FIRST_TOKENS = 1000

Nesting = Literal["groups of texts", "tokens", "token ids"]
# Columns beside the texts that some metrics read.
Column = Literal["prompts", "quality", "partition"]


@dataclass(frozen=True)
class Nested:
    """How lists of lists were read, if that was decided from what they contain.

    Attributes
    ----------
    kind
        What a list was read as.
    lists
        The number of lists; those without items are not counted. 0 if some of them were selected.
    """

    kind: Nesting
    lists: int

    @classmethod
    def total(cls, pieces: Iterable[Nested | None]) -> Nested | None:
        """Return the lists of several pieces; None if nothing had to be decided."""
        known = [piece for piece in pieces if piece is not None]
        return cls(known[0].kind, sum(piece.lists for piece in known)) if known else None


@dataclass(frozen=True)
class SkippedRows:
    """Rows that could not be read and were skipped (``skip_bad``).

    Attributes
    ----------
    count
        The number of rows.
    places
        The place of each of the first rows, in order, and why it could not be read.

    Examples
    --------
    >>> error = InputError("not valid JSON. Correct it.", source="a.jsonl", row="line 7")
    >>> SkippedRows.of(error) + SkippedRows(2, ("b.jsonl, line 1: not valid JSON",))
    SkippedRows(count=3, places=('a.jsonl, line 7: not valid JSON', 'b.jsonl, line 1: not valid JSON'))
    """

    count: int = 0
    places: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: InputError) -> SkippedRows:
        """Return one row that could not be read, without the remedy."""
        place = ", ".join(part for part in (error.source, error.row) if part)
        problem = error.problem.partition(". ")[0].removesuffix(".")
        problem = problem if len(problem) <= LONGEST_PROBLEM else problem[: LONGEST_PROBLEM - 1] + "…"
        return cls(1, (f"{place}: {problem}",))

    def __add__(self, other: SkippedRows) -> SkippedRows:
        return SkippedRows(self.count + other.count, (self.places + other.places)[:PLACES])

    def __bool__(self) -> bool:
        return self.count > 0


NO_ROWS = SkippedRows()


# Remarks on rows that were not read begin with this, and are shown as warnings.
LEFT_OUT = "Left out"


@dataclass(frozen=True)
class Remarks:
    """What a reader did with rows or texts: what it left out or changed, and how often.

    Attributes
    ----------
    counts
        The number of rows or texts by what happened to them, in the order in which it first did.

    Examples
    --------
    >>> remarks = Remarks({"Left out samples that failed": 2})
    >>> list(remarks + Remarks({"Left out samples that failed": 1, "Removed the reasoning of texts": 4}))
    ['Left out samples that failed: 3.', 'Removed the reasoning of texts: 4.']
    """

    counts: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Remarks) -> Remarks:
        counts = dict(self.counts)
        for text, count in other.counts.items():
            counts[text] = counts.get(text, 0) + count
        return Remarks(counts)

    def __iter__(self) -> Iterator[str]:
        """Yield one sentence per remark."""
        return (f"{text}: {count:,}." for text, count in self.counts.items())

    def __bool__(self) -> bool:
        return bool(self.counts)


NO_REMARKS = Remarks()


@dataclass(frozen=True)
class TokenColumn:
    """One list of strings per text: its tokens, or its tags.

    Attributes
    ----------
    strings
        The strings of all texts, one text after another.
    bounds
        The strings of text i are ``strings[bounds[i]:bounds[i + 1]]``.

    Examples
    --------
    >>> column = TokenColumn.encode([["DET", "NOUN"], [], ["VERB"]])
    >>> len(column), column.take([2, 0]).tolist()
    (3, [['VERB'], ['DET', 'NOUN']])
    """

    strings: Strings
    bounds: Integers

    @classmethod
    def encode(cls, lists: Sequence[Sequence[str]]) -> TokenColumn:
        """Return a column of lists of Python strings."""
        strings = Strings.encode([string for strings in lists for string in strings])
        return cls(strings, bounds_of([len(strings) for strings in lists]))

    @classmethod
    def concatenate(cls, columns: Sequence[TokenColumn]) -> TokenColumn:
        """Concatenate several columns.

        Examples
        --------
        >>> first, second = TokenColumn.encode([["a"], []]), TokenColumn.encode([["b", "c"]])
        >>> TokenColumn.concatenate([first, second]).tolist()
        [['a'], [], ['b', 'c']]
        """
        lengths = [np.diff(column.bounds) for column in columns]
        strings = [column._referenced() for column in columns]
        return cls(Strings.concatenate(strings), bounds_of(np.concatenate([np.zeros(0, np.int64), *lengths])))

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def take(self, rows: Sequence[int] | Integers) -> TokenColumn:
        """Return the lists of these rows, in this order."""
        places, bounds = positions(self.bounds, np.asarray(rows, np.int64))
        return TokenColumn(self.strings.take(places), bounds)

    def tolist(self) -> list[list[str]]:
        """Return the lists as Python lists of strings."""
        strings, bounds = self.strings.tolist(), self.bounds.tolist()
        return [strings[start:end] for start, end in pairwise(bounds)]

    def joined(self) -> Strings:
        """Return the strings of each text as one string, separated by spaces.

        Examples
        --------
        >>> TokenColumn.encode([["a", "b"], [], ["c"]]).joined().tolist()
        ['a b', '', 'c']
        """
        encoded, bounds = self.strings.encoded(), self.bounds.tolist()
        texts = [b" ".join(encoded[start:end]) for start, end in pairwise(bounds)]
        data = np.frombuffer(b"".join(texts), np.uint8)
        return Strings.packed(data, bounds_of([len(text) for text in texts]))

    def _referenced(self) -> Strings:
        """Return the strings between the first and the last bound: bounds need not begin at 0."""
        first, last = int(self.bounds[0]), int(self.bounds[-1])
        strings = self.strings
        return Strings(strings.data, strings.starts[first:last], strings.ends[first:last])


@dataclass(frozen=True)
class VectorHashes:
    """The hashes of vectors.

    Attributes
    ----------
    of_rows
        The hash of each vector.
    of_texts
        The hash of each text that a vector stands for: of one token, the vector.
    """

    of_rows: Hashes
    of_texts: Hashes

    @classmethod
    def of(cls, vectors: NDArray[np.floating[Any]]) -> VectorHashes:
        """Hash vectors."""
        return cls.of_each([vectors])[0]

    @classmethod
    def of_each(cls, tables: Sequence[NDArray[np.floating[Any]]]) -> list[VectorHashes]:
        """Hash the vectors of several tables; the hashes of texts are computed together.

        Examples
        --------
        >>> first, second = VectorHashes.of_each([np.zeros((1, 2)), np.zeros((2, 2))])
        >>> len(first.of_texts), bool(second.of_texts[1] == first.of_texts[0])
        (1, True)
        """
        of_rows = [hash_rows(table) for table in tables]
        bounds = bounds_of([len(hashes) for hashes in of_rows])
        of_texts = sequence(np.concatenate([np.zeros(0, np.uint64), *of_rows]), np.arange(bounds[-1] + 1))
        pieces = zip(of_rows, pairwise(bounds.tolist()))
        return [cls(hashes, of_texts[start:end]) for hashes, (start, end) in pieces]

    @classmethod
    def join(cls, pieces: Sequence[VectorHashes]) -> VectorHashes:
        """Concatenate the hashes of several pieces."""
        of_rows = np.concatenate([piece.of_rows for piece in pieces])
        return cls(of_rows, np.concatenate([piece.of_texts for piece in pieces]))

    def take(self, rows: Sequence[int] | Integers) -> VectorHashes:
        """Return the hashes of these rows, in this order."""
        selected = np.asarray(rows, np.int64)
        return VectorHashes(self.of_rows[selected], self.of_texts[selected])


@dataclass(frozen=True)
class Batch:
    """Texts in Arrow's layout, with the group, id and tags of each text where the source has them.

    Attributes
    ----------
    strings
        One string per text; one string per token where `bounds` is given.
    bounds
        Where the tokens of each text begin and end, for texts that came as lists of tokens.
    groups, ids
        One string per text, where the source has them.
    nulls_skipped, nulls_emptied
        The number of missing texts that were skipped, and that were replaced by empty texts.
    tags
        One list of tags per text, such as parts of speech, where the source has them.
    vectors
        One row per text, where the user gave vectors.
    only_vectors
        The user gave vectors and no texts; the strings are empty.
    nested
        How lists of lists were read; None if nothing had to be decided.
    bad_rows
        The rows that could not be read and were skipped.
    prompts, quality, partition
        The prompt, the quality and the class of each text, where the source has them.
    remarks
        What a reader of logs left out or changed.

    Examples
    --------
    >>> len(Batch.of(["a text", "another"])), len(Batch.of([["a", "text"], ["another"]]))
    (2, 2)
    """

    strings: Strings
    bounds: Integers | None = None
    groups: Strings | None = None
    ids: Strings | None = None
    nulls_skipped: int = 0
    nulls_emptied: int = 0
    tags: TokenColumn | None = None
    vectors: NDArray[np.floating[Any]] | None = None
    only_vectors: bool = False
    nested: Nested | None = None
    bad_rows: SkippedRows = NO_ROWS
    prompts: Strings | None = None
    quality: NDArray[np.float64] | None = None
    partition: Strings | None = None
    remarks: Remarks = NO_REMARKS

    @property
    def are_token_ids(self) -> bool:
        """Whether the texts came as lists of numbers, from the first tokens: such texts have no meaning.

        Examples
        --------
        >>> Batch.of([["17", "4"], ["17"]]).are_token_ids, Batch.of(["17 4"]).are_token_ids
        (True, False)
        """
        if self.bounds is None or not len(self.strings):
            return False
        first = self.strings.take(range(min(len(self.strings), _FIRST_TOKENS)))
        return all(token.isdigit() for token in first.encoded())

    @classmethod
    def of(
        cls,
        texts: Sequence[str | list[str]],
        *,
        groups: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        tags: Sequence[Sequence[str]] | None = None,
        prompts: Sequence[str] | None = None,
        quality: Sequence[float] | None = None,
        partition: Sequence[str] | None = None,
        nulls_skipped: int = 0,
        nulls_emptied: int = 0,
        nested: Nested | None = None,
        bad_rows: SkippedRows = NO_ROWS,
        remarks: Remarks = NO_REMARKS,
    ) -> Batch:
        """Return a batch of Python strings, or of lists of tokens."""
        token_lists = [text for text in texts if isinstance(text, list)]
        bounds: Integers | None = None
        if token_lists:
            tokens = TokenColumn.encode(token_lists)
            strings, bounds = tokens.strings, tokens.bounds
        else:
            strings = Strings.encode([text for text in texts if isinstance(text, str)])
        return cls(
            strings,
            bounds,
            None if groups is None else Strings.encode(groups),
            None if ids is None else Strings.encode(ids),
            nulls_skipped,
            nulls_emptied,
            None if tags is None else TokenColumn.encode(tags),
            nested=nested,
            bad_rows=bad_rows,
            prompts=None if prompts is None else Strings.encode(prompts),
            quality=None if quality is None else np.array(quality, np.float64),
            partition=None if partition is None else Strings.encode(partition),
            remarks=remarks,
        )

    @cached_property
    def vector_hashes(self) -> VectorHashes:
        """The hashes of the vectors; they are kept, also by selections, since hashing takes long."""
        return VectorHashes.of(np.zeros((0, 0)) if self.vectors is None else self.vectors)

    @classmethod
    def of_vectors(
        cls,
        vectors: NDArray[np.floating[Any]],
        *,
        groups: Strings | None = None,
        ids: Strings | None = None,
        hashes: VectorHashes | None = None,
    ) -> Batch:
        """Make a batch of vectors without texts."""
        strings = Strings.encode([""] * len(vectors))
        batch = cls(strings, groups=groups, ids=ids, vectors=vectors, only_vectors=True)
        return batch.with_vector_hashes(hashes)

    @property
    def knows_vector_hashes(self) -> bool:
        """Whether the hashes of the vectors were computed before."""
        return self._known_hashes is not None

    @property
    def _known_hashes(self) -> VectorHashes | None:
        return self.__dict__.get("vector_hashes")

    def with_vector_hashes(self, hashes: VectorHashes | None) -> Batch:
        """Return the batch, which keeps the hashes of its vectors if they were computed before."""
        if hashes is not None:
            self.__dict__["vector_hashes"] = hashes
        return self

    @classmethod
    def join(cls, batches: Iterable[Batch]) -> Batch:
        """Return the texts of several batches as one batch.

        A batch without texts adds its missing texts, bad rows and remarks, and nothing else. Groups, ids,
        tags and other columns are kept where every batch with texts has them.

        Raises
        ------
        InputError
            If some batches hold texts and others hold lists of tokens.

        Examples
        --------
        >>> joined = Batch.join([Batch.of(["a"], ids=["1"]), Batch.of([]), Batch.of(["b"], ids=["2"])])
        >>> joined.strings.tolist(), joined.ids.tolist()
        (['a', 'b'], ['1', '2'])
        """
        pieces = list(batches)
        if len(pieces) == 1:
            return pieces[0]
        filled = [piece for piece in pieces if len(piece)]
        tokens = [TokenColumn(piece.strings, piece.bounds) for piece in filled if piece.bounds is not None]
        if tokens and len(tokens) < len(filled):
            raise mixed_texts()
        bounds: Integers | None = None
        if tokens:
            column = TokenColumn.concatenate(tokens)
            strings, bounds = column.strings, column.bounds
        else:
            strings = Strings.concatenate([piece.strings for piece in filled])
        tags = [piece.tags for piece in filled if piece.tags is not None]
        vectors = [piece.vectors for piece in filled if piece.vectors is not None]
        quality = [piece.quality for piece in filled if piece.quality is not None]
        joined = cls(
            strings,
            bounds,
            _join_strings([piece.groups for piece in filled]),
            _join_strings([piece.ids for piece in filled]),
            sum(piece.nulls_skipped for piece in pieces),
            sum(piece.nulls_emptied for piece in pieces),
            TokenColumn.concatenate(tags) if tags and len(tags) == len(filled) else None,
            np.concatenate(vectors) if vectors and len(vectors) == len(filled) else None,
            any(piece.only_vectors for piece in filled),
            Nested.total(piece.nested for piece in filled),
            sum((piece.bad_rows for piece in pieces), NO_ROWS),
            _join_strings([piece.prompts for piece in filled]),
            np.concatenate(quality) if quality and len(quality) == len(filled) else None,
            _join_strings([piece.partition for piece in filled]),
            sum((piece.remarks for piece in pieces), NO_REMARKS),
        )
        hashes = [piece._known_hashes for piece in filled if piece._known_hashes is not None]
        are_known = bool(hashes) and len(hashes) == len(filled)
        return joined.with_vector_hashes(VectorHashes.join(hashes) if are_known else None)

    def select(self, rows: Sequence[int] | Integers) -> Batch:
        """Return the texts of these rows, in this order, with their groups, ids, tags and other columns.

        The numbers of missing texts and bad rows, and remarks, belong to the whole batch and become 0.

        Examples
        --------
        >>> Batch.of([["a", "text"], [], ["another"]]).select([2, 0]).strings.tolist()
        ['another', 'a', 'text']
        """
        strings, bounds = self.strings, self.bounds
        if bounds is None:
            strings = strings.take(rows)
        else:
            tokens = TokenColumn(strings, bounds).take(rows)
            strings, bounds = tokens.strings, tokens.bounds
        selected = Batch(
            strings,
            bounds,
            None if self.groups is None else self.groups.take(rows),
            None if self.ids is None else self.ids.take(rows),
            tags=None if self.tags is None else self.tags.take(rows),
            vectors=None if self.vectors is None else self.vectors[rows],
            only_vectors=self.only_vectors,
            nested=None if self.nested is None else Nested(self.nested.kind, 0),
            prompts=None if self.prompts is None else self.prompts.take(rows),
            quality=None if self.quality is None else self.quality[rows],
            partition=None if self.partition is None else self.partition.take(rows),
        )
        hashes = self._known_hashes
        return selected.with_vector_hashes(None if hashes is None else hashes.take(rows))

    def __len__(self) -> int:
        return len(self.strings) if self.bounds is None else len(self.bounds) - 1

    def first_texts(self) -> Batch:
        """Return a copy of the first texts alone: at most `FIRST`, until they have `FIRST_BYTES` bytes.

        The first texts of two batches are those of the first texts of each.
        """
        if self.bounds is None and len(self) <= FIRST and self.strings.size < FIRST_BYTES:
            return Batch(self.strings.copy())
        first = Batch(self.strings, self.bounds).select(np.arange(min(len(self), FIRST)))
        ends = np.cumsum(first.strings.ends - first.strings.starts)
        before = np.append(0, ends)[:-1] if first.bounds is None else np.append(0, ends)[first.bounds[:-1]]
        first = first.select(np.flatnonzero(before < FIRST_BYTES))
        return Batch(first.strings.copy(), first.bounds)

    @property
    def origin(self) -> Origin:
        """The origin of the texts."""
        as_tokens = (self.bounds is not None) if len(self) else None
        return Origin(
            self.nulls_skipped,
            self.nulls_emptied,
            as_tokens,
            self.only_vectors,
            self.first_texts(),
            self.nested,
            self.bad_rows,
            self.remarks,
        )


@cache
def _no_texts() -> Batch:
    return Batch.of([])


@dataclass(frozen=True)
class Origin:
    """The origin of texts: their form, missing texts, and their scripts.

    Attributes
    ----------
    nulls_skipped, nulls_emptied
        The number of missing texts that were skipped, and that were replaced by empty texts.
    as_tokens
        Whether the texts came as lists of tokens; None if there are no texts.
    only_vectors
        Whether there are vectors in place of texts.
    first
        The first texts, to be quoted, and to see their script.
    nested
        How lists of lists were read; None if nothing had to be decided.
    bad_rows
        The rows that could not be read and were skipped.
    remarks
        What a reader of logs left out or changed.
    """

    nulls_skipped: int = 0
    nulls_emptied: int = 0
    as_tokens: bool | None = None
    only_vectors: bool = False
    first: Batch = field(default_factory=_no_texts, repr=False, compare=False)
    nested: Nested | None = None
    bad_rows: SkippedRows = NO_ROWS
    remarks: Remarks = NO_REMARKS

    def check(self) -> None:
        """Raise if rows were skipped and no text is left."""
        if self.remarks and self.as_tokens is None:
            raise InputError(f"no text is left to measure. {' '.join(self.remarks)}")
        if self.bad_rows and self.as_tokens is None:
            raise InputError(
                f"no row can be read: {self.bad_rows.count:,} were skipped (--skip-bad), the first of them "
                f"{self.bad_rows.places[0]}. Correct the file, or how it is read."
            )

    @cached_property
    def letters(self) -> Letters:
        """The numbers of letters by script in the first texts."""
        return self.first.strings.letters()

    def __add__(self, other: Origin) -> Origin:
        if None not in (self.as_tokens, other.as_tokens) and self.as_tokens != other.as_tokens:
            raise mixed_texts()
        return Origin(
            self.nulls_skipped + other.nulls_skipped,
            self.nulls_emptied + other.nulls_emptied,
            other.as_tokens if self.as_tokens is None else self.as_tokens,
            self.only_vectors or other.only_vectors,
            self.first if len(self.first) >= FIRST else Batch.join([self.first, other.first]).first_texts(),
            Nested.total([self.nested, other.nested]),
            self.bad_rows + other.bad_rows,
            self.remarks + other.remarks,
        )


def are_vectors(texts: object) -> bool:
    """Return whether an object is a 2-D float array; a table of named columns is not one."""
    if isinstance(texts, np.ndarray) and texts.dtype.kind == "f":
        return texts.ndim == 2
    # From its attributes: converting a column of texts to an array would take long.
    of_floats = "float" in str(getattr(texts, "dtype", ""))
    return of_floats and getattr(texts, "ndim", 0) == 2 and hasattr(texts, "__array__")


def mixed_texts() -> InputError:
    """Return the error for a mix of strings and token lists."""
    return InputError(
        "cannot join texts and token lists: give all as texts, or all as tokens (for lists of lists, "
        "tokens=True or tokens=False)."
    )


def _join_strings(columns: Sequence[Strings | None]) -> Strings | None:
    present = [column for column in columns if column is not None]
    return Strings.concatenate(present) if present and len(present) == len(columns) else None
