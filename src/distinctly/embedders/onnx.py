"""`onnx:<path>`: a sentence encoder in an ONNX file, with the package onnxruntime, without torch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from distinctly.embedders.base import Vectors, checked, normalized
from distinctly.embedders.models import TOKENIZER, Model, imported, loading, unchanged
from distinctly.errors import InputError, SpecError, reason
from distinctly.options import option

# The number of texts per call of the network.
TEXTS_PER_CALL = 32
# The possible inputs of a network, and its outputs with one vector per subword.
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("last_hidden_state", "token_embeddings")


@dataclass(frozen=True, kw_only=True)
class Onnx(Model):
    """Vectors from a network in an ONNX file, on the CPU: `onnx:` and the file or its folder.

    Its ``tokenizer.json`` must be in the same folder. If the network gives one vector per subword, the
    vector of a text is their mean (`pool=mean`) or the first one (`pool=cls`). If it gives one vector per
    text, that is the vector of the text.

    Attributes
    ----------
    source
        The path of an .onnx file, or of a folder with one. A signature contains its last part.
    pool
        How the vectors of subwords are combined.
    length
        The largest number of subwords of a text, including special ones; 0 uses tokenizer.json's limit.
    norm, hash
        As for every model.
    """

    name: ClassVar[str] = "onnx"
    extra: ClassVar[str] = "onnx"
    packages: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")

    pool: Literal["mean", "cls"] = "mean"
    length: int = option(0, at_least=0)

    def files(self) -> list[Path]:
        """Return the network, its external data files, and the tokenizer."""
        return _files(self.source)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Tokenize the texts, run the network and pool its output."""
        session, tokenizer = _loaded(self.source, self.hash, self.length)
        try:
            pieces = tokenizer.encode_batch(list(texts))
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected texts that can be encoded in UTF-8 for the embedder 'onnx': {error}."
            ) from error
        # Texts of similar length together, so that there is little padding.
        order = np.argsort([len(piece.ids) for piece in pieces], kind="stable")
        parts = [
            self._run(session, [pieces[place] for place in order[start : start + TEXTS_PER_CALL]])
            for start in range(0, len(order), TEXTS_PER_CALL)
        ]
        rows = np.concatenate(parts)[np.argsort(order)] if parts else np.zeros((0, 1), np.float32)
        vectors = checked(rows, len(texts), f"the model '{self.shown}'")
        return normalized(vectors) if self.norm else vectors

    def _run(self, session: Any, pieces: Sequence[Any]) -> Vectors:
        longest = max(1, *(len(piece.ids) for piece in pieces))
        tables = {name: np.zeros((len(pieces), longest), np.int64) for name in INPUTS}
        for row, piece in enumerate(pieces):
            for name, numbers in zip(INPUTS, (piece.ids, piece.attention_mask, piece.type_ids)):
                tables[name][row, : len(numbers)] = numbers
        inputs = {
            wanted.name: tables[wanted.name].astype(np.int32 if "int32" in wanted.type else np.int64)
            for wanted in session.get_inputs()
        }
        names = [output.name for output in session.get_outputs()]
        chosen = next((name for name in OUTPUTS if name in names), names[0])
        try:
            output = session.run([chosen], inputs)[0]
        except Exception as error:  # the library's errors have no common base class
            raise InputError(
                f"the network '{self.shown}' cannot process a text of {longest} subwords ({reason(error)}). "
                "If the text is too long, set the limit of the network, as in onnx:model.onnx,length=512."
            ) from error
        return self._pooled(np.asarray(output), tables["attention_mask"])

    def _pooled(self, output: Any, mask: Any) -> Vectors:
        if output.ndim == 3 and self.pool == "cls":
            output = output[:, 0]
        elif output.ndim == 3:
            weights = mask[:, :, None].astype(np.float32)
            output = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        if output.ndim != 2:
            raise InputError(
                f"expected the network '{self.shown}' to give one vector per subword or per text, got an "
                f"array of {output.ndim} dimensions."
            )
        rows: Vectors = output.astype(np.float32, copy=False)
        return rows


def _locate(source: str) -> tuple[Path, Path]:
    """Return the files of the network and of the tokenizer."""
    path = Path(source).expanduser()
    if path.is_dir():
        networks = [*sorted(path.glob("*.onnx")), *sorted(path.glob("onnx/*.onnx"))]
        named = [network for network in networks if network.name == "model.onnx"]
        if len(networks) != 1 and not named:
            names = ", ".join(network.name for network in networks)
            present = f"{len(networks)}: {names}" if networks else "none"
            raise SpecError(f"Expected one .onnx file in '{source}', got {present}. Name the file.")
        path = (named or networks)[0]
    if path.suffix != ".onnx" or not path.is_file():
        raise SpecError(
            f"No network at '{source}': expected an .onnx file, or a folder with one, as in "
            "onnx:models/model.onnx. A signature contains only the last part of a path."
        )
    folders = [path.parent, path.parent.parent] if path.parent.name == "onnx" else [path.parent]
    candidates = (folder / TOKENIZER for folder in folders)
    tokenizer = next((file for file in candidates if file.is_file()), None)
    if tokenizer is None:
        raise SpecError(
            f"No {TOKENIZER} beside '{source}': put the tokenizer of the network into its folder."
        )
    return path.resolve(), tokenizer.resolve()


def _files(source: str) -> list[Path]:
    network, tokenizer = _locate(source)
    return [*sorted(network.parent.glob(f"{network.name}*")), tokenizer]


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str, length: int) -> tuple[Any, Any]:
    network, tokenizer_file = _locate(source)
    runtime, tokenizers = imported("onnxruntime", Onnx), imported("tokenizers", Onnx)
    remedy = "Give an .onnx file that onnxruntime reads, and the tokenizer.json that belongs to it."
    with loading(f"onnx:{source}", remedy):
        unchanged(_files(source), wanted)
        tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_padding()
        special = tokenizer.num_special_tokens_to_add(False)
        if length and length <= special:  # the library would not truncate at all
            raise SpecError(
                f"Expected `length` of 'onnx' to be above {special}, the number of special subwords, "
                f"got {length}."
            )
        if length:
            tokenizer.enable_truncation(length)
        settings = runtime.SessionOptions()
        settings.log_severity_level = 3
        session = runtime.InferenceSession(str(network), settings, providers=["CPUExecutionProvider"])
    names = [wanted.name for wanted in session.get_inputs()]
    unsupported = [name for name in names if name not in INPUTS]
    if unsupported:
        raise SpecError(
            f"Expected the network '{source}' to have no inputs besides {', '.join(INPUTS)}, "
            f"got also {', '.join(unsupported)}."
        )
    return session, tokenizer
