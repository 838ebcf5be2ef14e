"""The vector of a text by the definition of sentence-transformers: one text at a time, in plain loops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def encoded(network: Path, tokenizer_file: Path, texts: list[str], length: int) -> NDArray[np.float64]:
    """Return the mean state of the subwords of each text, scaled to length 1.

    A text is [CLS], its first `length` - 2 subwords, and [SEP]; nothing is padded.
    """
    import onnxruntime
    from tokenizers import Tokenizer

    session = onnxruntime.InferenceSession(str(network), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rows = []
    for text in texts:
        subwords = tokenizer.encode(text, add_special_tokens=False).ids[: length - 2]
        ids = np.array([[tokenizer.token_to_id("[CLS]"), *subwords, tokenizer.token_to_id("[SEP]")]])
        # The output of the last layer, which has no name of its own in the file.
        (states,) = session.run(["onnx::Shape_422"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        total = np.zeros(states.shape[2])
        for state in states[0]:
            total += state
        mean = total / len(states[0])
        rows.append(mean / np.sqrt((mean**2).sum()))
    return np.array(rows)
