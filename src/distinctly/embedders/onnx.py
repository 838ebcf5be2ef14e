"""`onnx:<path>`: a sentence encoder as an ONNX file, with the package onnxruntime and no torch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from distinctly.embedders.base import Vectors, checked, normalized
from distinctly.embedders.models import Model, imported, loading, unchanged
from distinctly.errors import InputError, SpecError, reason
from distinctly.options import option

TOKENIZER = "tokenizer.json"
# Texts that go through the network together.
TOGETHER = 32
# What a network may ask for, and outputs that are a vector a subword.
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("last_hidden_state", "token_embeddings")


@dataclass(frozen=True, kw_only=True)
class Onnx(Model):
    """Vectors by a network in an ONNX file: `onnx:` and the file, or its folder, on the CPU.

    Its ``tokenizer.json`` lies beside it. The network gives a vector a subword, and a text has their
    mean (`pool=mean`) or that of the first one (`pool=cls`); one that gives a vector a text is taken
    as it is.

    Attributes
    ----------
    source
        The path of an .onnx file, or of a folder with one. A signature has its last part.
    pool
        How a text's vector is made of those of its subwords.
    length
        Subwords of a text at most, special ones included; 0: as tokenizer.json says.
    norm, hash
        As for every model.
    """

    name: ClassVar[str] = "onnx"
    extra: ClassVar[str] = "onnx"
    packages: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")

    pool: Literal["mean", "cls"] = "mean"
    length: int = option(0, at_least=0)

    def files(self) -> list[Path]:
        """Return the network, data that it keeps in other files, and the tokenizer."""
        return _files(self.source)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Cut the texts, run the network and pool."""
        session, tokenizer = _loaded(self.source, self.hash, self.length)
        try:
            pieces = tokenizer.encode_batch(list(texts))
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected texts that can be written in UTF-8 for the embedder 'onnx', got another: {error}."
            ) from error
        # Those of about one length together, so that there is little to pad.
        order = np.argsort([len(piece.ids) for piece in pieces], kind="stable")
        parts = [
            self._run(session, [pieces[place] for place in order[start : start + TOGETHER]])
            for start in range(0, len(order), TOGETHER)
        ]
        rows = np.concatenate(parts)[np.argsort(order)] if parts else np.zeros((0, 1), np.float32)
        found = checked(rows, len(texts), f"the model '{self.shown}'")
        return normalized(found) if self.norm else found

    def _run(self, session: Any, pieces: Sequence[Any]) -> Vectors:
        longest = max(1, *(len(piece.ids) for piece in pieces))
        tables = {name: np.zeros((len(pieces), longest), np.int64) for name in INPUTS}
        for row, piece in enumerate(pieces):
            for name, numbers in zip(INPUTS, (piece.ids, piece.attention_mask, piece.type_ids)):
                tables[name][row, : len(numbers)] = numbers
        given = {
            one.name: tables[one.name].astype(np.int32 if "int32" in one.type else np.int64)
            for one in session.get_inputs()
        }
        names = [one.name for one in session.get_outputs()]
        output = next((name for name in OUTPUTS if name in names), names[0])
        try:
            found = session.run([output], given)[0]
        except Exception as error:  # the library's own, which have no common base
            raise InputError(
                f"the network '{self.shown}' cannot take a text of {longest} subwords ({reason(error)}). "
                "If that is too many, say how many it takes, as in onnx:model.onnx,length=512."
            ) from error
        return self._pooled(np.asarray(found), tables["attention_mask"])

    def _pooled(self, found: Any, mask: Any) -> Vectors:
        if found.ndim == 3 and self.pool == "cls":
            found = found[:, 0]
        elif found.ndim == 3:
            weights = mask[:, :, None].astype(np.float32)
            found = (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        if found.ndim != 2:
            raise InputError(
                f"expected the network '{self.shown}' to give a vector a subword or a text, got an array of "
                f"{found.ndim} dimensions."
            )
        rows: Vectors = found.astype(np.float32, copy=False)
        return rows


def _found(source: str) -> tuple[Path, Path]:
    """Return the network and the tokenizer that a path means."""
    path = Path(source).expanduser()
    if path.is_dir():
        inside = [*sorted(path.glob("*.onnx")), *sorted(path.glob("onnx/*.onnx"))]
        named = [one for one in inside if one.name == "model.onnx"]
        if len(inside) != 1 and not named:
            there = f"{len(inside)}: {', '.join(one.name for one in inside)}" if inside else "none"
            raise SpecError(f"Expected one .onnx file in '{source}', got {there}. Name the file.")
        path = (named or inside)[0]
    if path.suffix != ".onnx" or not path.is_file():
        raise SpecError(
            f"No network at '{source}': expected an .onnx file, or a folder with one, as in "
            "onnx:models/model.onnx. A signature has only the last part of a path."
        )
    folders = [path.parent, path.parent.parent] if path.parent.name == "onnx" else [path.parent]
    tokenizer = next((one / TOKENIZER for one in folders if (one / TOKENIZER).is_file()), None)
    if tokenizer is None:
        raise SpecError(
            f"No {TOKENIZER} beside '{source}': put the one that the network was trained with there."
        )
    return path.resolve(), tokenizer.resolve()


def _files(source: str) -> list[Path]:
    network, tokenizer = _found(source)
    return [*sorted(network.parent.glob(f"{network.name}*")), tokenizer]


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str, length: int) -> tuple[Any, Any]:
    network, tokenizer_file = _found(source)
    runtime, tokenizers = imported("onnxruntime", Onnx), imported("tokenizers", Onnx)
    remedy = "Give an .onnx file that onnxruntime reads, and the tokenizer.json that belongs to it."
    with loading(f"onnx:{source}", remedy):
        unchanged(_files(source), wanted)
        tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_padding()
        special = tokenizer.num_special_tokens_to_add(False)
        if length and length <= special:  # the library would not cut at all
            raise SpecError(
                f"Expected `length` of 'onnx' to be over the {special} special ones, got {length}."
            )
        if length:
            tokenizer.enable_truncation(length)
        settings = runtime.SessionOptions()
        settings.log_severity_level = 3
        session = runtime.InferenceSession(str(network), settings, providers=["CPUExecutionProvider"])
    strange = [one.name for one in session.get_inputs() if one.name not in INPUTS]
    if strange:
        raise SpecError(
            f"Expected the network '{source}' to take {', '.join(INPUTS)} or some of them, "
            f"got {', '.join(strange)}, too."
        )
    return session, tokenizer
