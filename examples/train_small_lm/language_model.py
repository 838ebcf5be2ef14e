"""A small word-level language model that is given the label of a sentence as its first word."""

from __future__ import annotations

import re
from collections.abc import Sequence

import torch
from torch import Tensor, nn

# A word or a punctuation mark, with the space before it, so that joining the pieces restores the sentence.
PIECE = re.compile(r" ?\w+| ?[^\w\s]")
END = "<end>"
PADDING = -100  # after the end of a sentence that is shorter than the others: not predicted


def pieces_of(text: str) -> list[str]:
    """Split a text into words and punctuation marks.

    Examples
    --------
    >>> pieces_of("Where's my card?")
    ['Where', "'", 's', ' my', ' card', '?']
    """
    return PIECE.findall(" ".join(text.split()))


class LanguageModel(nn.Module):
    """An embedding of words and labels, a GRU, and a softmax over the words of the texts."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str], width: int = 256) -> None:
        super().__init__()
        words = sorted({piece for text in texts for piece in pieces_of(text)})
        names = sorted(set(labels))
        self.words = [END, *words]
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.labels = {name: len(self.words) + place for place, name in enumerate(names)}
        self.embed = nn.Embedding(len(self.words) + len(names), width // 2)
        self.recur = nn.GRU(width // 2, width, batch_first=True)
        self.choose = nn.Linear(width, len(self.words))

    def forward(self, tokens: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits of the next word, and the new state."""
        outputs, new_state = self.recur(self.embed(tokens), state)
        return self.choose(outputs), new_state

    def encode(self, text: str, label: str) -> list[int]:
        """Return a sentence as numbers: its label, its words and the end mark."""
        return [self.labels[label], *(self.numbers[piece] for piece in pieces_of(text)), self.numbers[END]]

    def loss(self, sentences: Sequence[Sequence[int]]) -> Tensor:
        """Return the mean negative log-likelihood per word, in nats."""
        rows = [torch.tensor(sentence) for sentence in sentences]
        inputs = nn.utils.rnn.pad_sequence([row[:-1] for row in rows], batch_first=True)
        targets = nn.utils.rnn.pad_sequence(
            [row[1:] for row in rows], batch_first=True, padding_value=PADDING
        )
        logits, _ = self(inputs)
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PADDING)

    @torch.no_grad()
    def generate(
        self, labels: Sequence[str], draw: torch.Generator, *, temperature: float = 1.0, longest: int = 40
    ) -> list[str]:
        """Generate one sentence per label, word by word, of at most `longest` words."""
        generated: list[list[str]] = [[] for _ in labels]
        unfinished = torch.arange(len(labels))
        tokens = torch.tensor([self.labels[label] for label in labels])
        state = None
        for _ in range(longest):
            logits, state = self(tokens[:, None], state)
            cumulative = (logits[:, 0] / temperature).softmax(-1).cumsum(-1)
            drawn = torch.rand(len(tokens), 1, generator=draw) * cumulative[:, -1:]
            tokens = torch.searchsorted(cumulative, drawn, right=True)[:, 0].clamp(max=len(self.words) - 1)
            continues = tokens != self.numbers[END]
            unfinished, tokens, state = unfinished[continues], tokens[continues], state[:, continues]
            for place, token in zip(unfinished.tolist(), tokens.tolist()):
                generated[place].append(self.words[token])
            if not len(unfinished):
                break
        return ["".join(words).strip() for words in generated]
