"""The hash of version 2, with Python's whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

MASK = 2**64 - 1
PIECE = 64


def rotate(x: int, bits: int) -> int:
    """Rotate 64 bits to the left."""
    return (x << bits | x >> (64 - bits)) & MASK


def siphash(key: bytes, data: bytes, c: int, d: int, size: int = 16) -> bytes:
    """Return SipHash-c-d, as in its reference implementation: 8 or 16 bytes."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def mix(rounds: int) -> None:
        for _ in range(rounds):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = rotate(v[1], 13) ^ v[0]
            v[0] = rotate(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = rotate(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = rotate(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = rotate(v[1], 17) ^ v[2]
            v[2] = rotate(v[2], 32)

    if size == 16:
        v[1] ^= 0xEE
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        mix(c)
        v[0] ^= word
    v[2] ^= 0xEE if size == 16 else 0xFF
    mix(d)
    digest = (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")
    if size == 8:
        return digest
    v[1] ^= 0xDD
    mix(d)
    return digest + (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


def key(kind: str, *, of_long: bool = False) -> bytes:
    """Return the key of a kind of input; the second half is inverted if the input was shortened."""
    name = f"distinctly {kind}".encode().ljust(16, b"\0")
    return name[:8] + bytes(byte ^ 255 for byte in name[8:]) if of_long else name


def digest(kind: str, data: bytes, c: int, d: int, bits: int, piece_bits: int) -> bytes:
    """Hash bytes of any length."""
    size = bits // 8
    if len(data) <= PIECE:
        return siphash(key(kind), data, c, d)[:size]
    short = data
    while len(short) > PIECE:
        pieces = [short[start : start + PIECE] for start in range(0, len(short), PIECE)]
        short = b"".join(siphash(key("piece"), piece, c, d)[: piece_bits // 8] for piece in pieces)
    return siphash(key(kind, of_long=True), short + len(data).to_bytes(8, "little"), c, d)[:size]


def token(text: str, bits: int = 64) -> bytes:
    """Hash a token."""
    return digest("token", text.encode("utf-8", "surrogatepass"), 2, 4, bits, 128)


def ngram(tokens: Sequence[str], bits: int = 64) -> bytes:
    """Hash an n-gram."""
    gram = token(tokens[0], bits)
    for word in tokens[1:]:
        gram = digest("ngram", gram + token(word, bits), 1, 3, bits, bits)
    return gram


def text(tokens: Sequence[str], bits: int = 64) -> bytes:
    """Hash a text."""
    return digest("text", b"".join(token(word, bits) for word in tokens), 1, 3, bits, bits)
