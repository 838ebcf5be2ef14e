"""A small language model of words that begins every sentence with its label."""

from __future__ import annotations

import re
from collections.abc import Sequence

import torch
from torch import Tensor, nn

# A word or a sign, with the blank before it, so that a sentence is its pieces put together again.
PIECE = re.compile(r" ?\w+| ?[^\w\s]")
END = "<end>"
NOTHING = -100  # after the end of a sentence that is shorter than others: nothing to guess


def pieces_of(text: str) -> list[str]:
    """Cut a text.

    Examples
    --------
    >>> pieces_of("Where's my card?")
    ['Where', "'", 's', ' my', ' card', '?']
    """
    return PIECE.findall(" ".join(text.split()))


class LanguageModel(nn.Module):
    """Embedding, GRU, softmax over all words of the texts and, as first words, their labels."""

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
        """Return how likely each word comes next, before the softmax, and what the model remembers."""
        outputs, remembered = self.recur(self.embed(tokens), state)
        return self.choose(outputs), remembered

    def encode(self, text: str, label: str) -> list[int]:
        """Return a sentence as numbers: its label, its words, the end."""
        return [self.labels[label], *(self.numbers[piece] for piece in pieces_of(text)), self.numbers[END]]

    def loss(self, sentences: Sequence[Sequence[int]]) -> Tensor:
        """Return the mean surprise a word, in nats."""
        rows = [torch.tensor(one) for one in sentences]
        given = nn.utils.rnn.pad_sequence([row[:-1] for row in rows], batch_first=True)
        guessed = nn.utils.rnn.pad_sequence(
            [row[1:] for row in rows], batch_first=True, padding_value=NOTHING
        )
        scores, _ = self(given)
        return nn.functional.cross_entropy(scores.flatten(0, 1), guessed.flatten(), ignore_index=NOTHING)

    @torch.no_grad()
    def generate(
        self, labels: Sequence[str], draw: torch.Generator, *, temperature: float = 1.0, longest: int = 40
    ) -> list[str]:
        """Write a sentence for each label, word by word; one that is too long stops where it is."""
        written: list[list[str]] = [[] for _ in labels]
        writing = torch.arange(len(labels))
        tokens = torch.tensor([self.labels[label] for label in labels])
        state = None
        for _ in range(longest):
            scores, state = self(tokens[:, None], state)
            chances = (scores[:, 0] / temperature).softmax(-1).cumsum(-1)
            drawn = torch.rand(len(tokens), 1, generator=draw) * chances[:, -1:]
            tokens = torch.searchsorted(chances, drawn, right=True)[:, 0].clamp(max=len(self.words) - 1)
            going = tokens != self.numbers[END]
            writing, tokens, state = writing[going], tokens[going], state[:, going]
            for place, token in zip(writing.tolist(), tokens.tolist()):
                written[place].append(self.words[token])
            if not len(writing):
                break
        return ["".join(one).strip() for one in written]
