"""Networks in ONNX files, run on the CPU with onnxruntime and tokenizers, without torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from distinctly.config import cores
from distinctly.embedders.base import Vectors, checked
from distinctly.embedders.models import NeedsPackages, imported, load_tokenizer
from distinctly.errors import InputError, SpecError, reason
from distinctly.ragged import Integers

Pool = Literal["mean", "cls"]
# The number of subwords per call of the network: their states stay in the caches of a core.
SUBWORDS_PER_CALL = 512
# The possible inputs of a network, and its outputs with one vector per subword.
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("last_hidden_state", "token_embeddings")
FLOATS = ("tensor(float)", "tensor(float16)", "tensor(double)")


@dataclass(frozen=True)
class Network:
    """A network and its tokenizer, loaded.

    Attributes
    ----------
    session
        The network, of onnxruntime.
    output
        The name of the output that is read.
    tokenizer
        The tokenizer, of tokenizers. It truncates texts and pads none.
    user, shown
        What the network is for, and the name of the model, in errors.
    reads, remedy
        What the network reads at a time, and what to do if that is too long, in errors.
    """

    session: Any
    output: str
    tokenizer: Any
    user: str
    shown: str
    reads: str = "text"
    remedy: str = "set the limit of the network, as in onnx:model.onnx,length=512"

    def embed(self, texts: Sequence[str], pool: Pool) -> Vectors:
        """Return one row per text: the mean of the vectors of its subwords, or the first one."""

        def pooled(output: Vectors, length: int) -> Vectors:
            if output.ndim == 3:
                output = output[:, 0] if pool == "cls" else output.mean(axis=1)
            if output.ndim != 2:
                raise InputError(
                    f"expected the network '{self.shown}' to give one vector per subword or per text, got "
                    f"an array of {output.ndim} dimensions."
                )
            rows: Vectors = output.astype(np.float32, copy=False)
            return rows if length else np.zeros_like(rows)

        return checked(self.run(texts, pooled), len(texts), f"the model '{self.shown}'")

    def run(
        self, texts: Sequence[str] | Sequence[tuple[str, str]], rows_of: Callable[[Vectors, int], Vectors]
    ) -> Vectors:
        """Return one row per text, or per pair of texts.

        All texts of a call of the network have the same number of subwords. Without padding, no work is
        wasted, and the other texts of a call do not change the rounding of a row.

        Parameters
        ----------
        texts
            The texts, or the pairs of texts.
        rows_of
            Returns the rows of one call, given the output of the network and the number of subwords.
        """
        pieces = self._encode(texts)
        calls = list(_calls(np.array([len(piece) for piece in pieces], np.int64)))
        if not calls:
            return np.zeros((0, 1), np.float32)

        def run(places: Integers) -> Vectors:
            chosen = [pieces[place] for place in places.tolist()]
            return rows_of(self._call(chosen), len(chosen[0]))

        # Each call is computed by one thread: they do not wait for each other within a layer.
        with ThreadPoolExecutor(min(len(calls), _threads())) as threads:
            parts = list(threads.map(run, calls))
        rows = np.empty((len(texts), parts[0].shape[1]), parts[0].dtype)
        rows[np.concatenate(calls)] = np.concatenate(parts)
        return rows

    def _encode(self, texts: Sequence[Any]) -> list[Any]:
        try:
            pieces: list[Any] = self.tokenizer.encode_batch(list(texts))
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected texts that can be encoded in UTF-8 for {self.user}: {error}."
            ) from error
        return pieces

    def _call(self, pieces: Sequence[Any]) -> Vectors:
        """Return the output of the network for texts with the same number of subwords."""
        length = len(pieces[0])
        # A network needs one subword at least; that of a text without any is masked.
        tables = {name: np.zeros((len(pieces), max(1, length)), np.int64) for name in INPUTS}
        if length:
            for name, attribute in zip(INPUTS, ("ids", "attention_mask", "type_ids")):
                tables[name][:] = [getattr(piece, attribute) for piece in pieces]
        inputs = {
            wanted.name: tables[wanted.name].astype(np.int32 if "int32" in wanted.type else np.int64)
            for wanted in self.session.get_inputs()
        }
        try:
            return np.asarray(self.session.run([self.output], inputs)[0])
        except Exception as error:  # the library's errors have no common base class
            raise InputError(
                f"the network '{self.shown}' cannot process a {self.reads} of {length} subwords "
                f"({reason(error)}). If the {self.reads} is too long, {self.remedy}."
            ) from error


def load_network(
    network: Path, tokenizer_file: Path, length: int, embedder: NeedsPackages, shown: str
) -> Network:
    """Load a network and its tokenizer, which truncates texts to `length` subwords; 0 keeps its own limit."""
    tokenizer = load_tokenizer(tokenizer_file, embedder)
    special = tokenizer.num_special_tokens_to_add(False)
    if length and length <= special:  # the library would not truncate at all
        raise SpecError(
            f"Expected `length` of '{embedder.name}' to be above {special}, the number of special subwords, "
            f"got {length}."
        )
    if length:
        tokenizer.enable_truncation(length)
    session = load_session(network, embedder, shown)
    output = output_of(session, OUTPUTS, shown)
    return Network(session, output, tokenizer, f"the embedder '{embedder.name}'", shown)


def load_session(network: Path, user: NeedsPackages, shown: str) -> Any:
    """Load a network, for one thread per call; raise if it has inputs that texts do not give."""
    runtime = imported("onnxruntime", user)
    settings = runtime.SessionOptions()
    settings.log_severity_level = 3
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = runtime.InferenceSession(str(network), settings, providers=["CPUExecutionProvider"])
    unsupported = [wanted.name for wanted in session.get_inputs() if wanted.name not in INPUTS]
    if unsupported:
        raise SpecError(
            f"Expected the network '{shown}' to have no inputs besides {', '.join(INPUTS)}, "
            f"got also {', '.join(unsupported)}."
        )
    return session


def output_of(session: Any, usual: Sequence[str], shown: str) -> str:
    """Return the name of the output to read: a usual name, or the first output of floats."""
    floats = [output.name for output in session.get_outputs() if output.type in FLOATS]
    if not floats:
        raise SpecError(f"Expected the network '{shown}' to have an output of floats, got none.")
    return next((name for name in usual if name in floats), floats[0])


def _calls(lengths: Integers) -> Iterator[Integers]:
    """Yield the places of texts with the same number of subwords, few at a time, the longest texts first.

    Examples
    --------
    >>> [places.tolist() for places in _calls(np.array([3, 400, 3, 400, 0]))]
    [[1], [3], [0, 2], [4]]
    """
    order = np.argsort(-lengths, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
        if len(group):
            step = max(1, SUBWORDS_PER_CALL // max(1, int(lengths[group[0]])))
            yield from (group[start : start + step] for start in range(0, len(group), step))


def _threads() -> int:
    """Return the number of threads: OMP_NUM_THREADS, which torch follows too, or one per core."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdecimal() and int(wanted) else cores()
