"""`.gz`, `.xz`, `.bz2`, `.zst`: what is inside, and nothing where it is damaged."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib

import pyarrow as pa
import pytest

import distinctly as dy

COMPRESS = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}
CONTENT = {
    "txt": "café\nmüde\n",
    "jsonl": '{"text": "café"}\n{"text": "müde"}\n',
    "json": '[{"text": "café"}, {"text": "müde"}]',
    "csv": "text\ncafé\nmüde\n",
    "tsv": "id\ttext\n1\tcafé\n2\tmüde\n",
}
# 3.4 MB of text: several reads of a file, and pieces that end anywhere.
LONG = "".join(f"line {number} wörd 知道\n" for number in range(150_000)).encode()

# The checksum comes last, so other errors may be found before.
DAMAGED = r"cannot be read as \.|not valid UTF-8 \(byte \d+ of the file inside"


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("ending", CONTENT)
def test_what_is_text_may_be_compressed(save, compression, ending):
    path = save(f"texts.{ending}.{compression}", COMPRESS[compression](CONTENT[ending].encode()))
    assert dy.Corpus.read(path).texts() == ["café", "müde"]


@pytest.mark.parametrize("name", ["texts.gz", "texts.TXT.GZ", "texts.log.gz"])
def test_an_ending_that_says_nothing_inside_means_lines(save, name):
    assert dy.Corpus.read(save(name, gzip.compress(b"one\ntwo\n"))).texts() == ["one", "two"]


@pytest.mark.parametrize("compression", COMPRESS)
def test_the_format_and_encoding_inside_can_be_given(save, compression):
    path = save(f"rows.log.{compression}", COMPRESS[compression]('{"text": "café"}\n'.encode("latin-1")))
    assert dy.Corpus.read(path, format="jsonl", encoding="latin-1").texts() == ["café"]


@pytest.mark.parametrize("compression", COMPRESS)
def test_long_texts_come_whole_and_progress_is_that_of_the_file(save, compression):
    path = save(f"texts.txt.{compression}", COMPRESS[compression](LONG))
    corpus = dy.Corpus.read(path)
    assert corpus.texts() == LONG.decode().split("\n")[:-1]
    assert corpus.source.position == corpus.source.size == path.stat().st_size


@pytest.mark.parametrize("compression", COMPRESS)
def test_several_streams_in_a_file_are_all_read(save, compression):
    compress = COMPRESS[compression]
    path = save(f"texts.txt.{compression}", compress(b"one\ntw") + compress(b"o\nthree\n"))
    assert dy.Corpus.read(path).texts() == ["one", "two", "three"]


@pytest.mark.parametrize("compression", ["gz", "xz"])
def test_zeros_after_a_stream_are_padding(save, compression):
    path = save(f"texts.txt.{compression}", COMPRESS[compression](b"one\n") + b"\0" * 512)
    assert dy.Corpus.read(path).texts() == ["one"]


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-1], id="without its last byte"),
        pytest.param(lambda data: data[: len(data) // 2], id="half"),
        pytest.param(lambda data: data[:3], id="three bytes"),
        pytest.param(lambda data: b"", id="nothing"),
        pytest.param(lambda data: data + data[: len(data) // 2], id="a second stream cut off"),
        pytest.param(lambda data: data + b"and more", id="something after it"),
        pytest.param(lambda data: LONG, id="not compressed"),
        pytest.param(lambda data: data[:5000] + b"\0" * 5000 + data[10_000:], id="zeros inside"),
    ],
)
def test_damage_is_an_error_and_no_number(save, compression, damage):
    path = save(f"texts.txt.{compression}", damage(COMPRESS[compression](LONG)))
    with pytest.raises(dy.InputError, match=DAMAGED) as caught:
        dy.measure(path, "distinct:n=1")
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("compression", ["gz", "xz", "bz2"])
@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_bit_that_has_turned_is_an_error(save, compression, place):
    # (.zst has a checksum only if the writer adds one.)
    data = bytearray(COMPRESS[compression](LONG))
    data[int(len(data) * place)] ^= 1
    with pytest.raises(dy.InputError, match=DAMAGED):
        dy.measure(save(f"texts.txt.{compression}", bytes(data)))


@pytest.mark.parametrize("compression", COMPRESS)
def test_what_cannot_be_decoded_names_the_line_and_the_byte_inside(save, compression):
    path = save(f"texts.txt.{compression}", COMPRESS[compression](b"one\nca\xe9!\n"))
    with pytest.raises(dy.InputError, match=r"line 2: not valid UTF-8 \(byte 6 of the file inside: e9\)"):
        dy.measure(path)


@pytest.mark.parametrize("compression", COMPRESS)
def test_nothing_inside_is_an_error(save, compression):
    with pytest.raises(dy.InputError, match="no text to measure"):
        dy.measure(save(f"texts.txt.{compression}", COMPRESS[compression](b"")))


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_tables_are_not_compressed_twice(save, ending):
    path = save(f"rows.{ending}.gz", gzip.compress(b"PAR1"))
    with pytest.raises(dy.InputError, match=f"{ending} cannot be read from .gz files.*Decompress"):
        dy.measure(path)


def test_a_file_that_unpacks_to_very_much_is_read_in_pieces(save):
    # 64 MB of empty lines in 64 kB, of which one piece at a time is in memory.
    packer = zlib.compressobj(wbits=31)
    packed = b"".join(packer.compress(b"\n" * (1 << 20)) for _ in range(64)) + packer.flush()
    sizes = [len(batch) for batch in dy.Corpus.read(save("texts.txt.gz", packed)).source.batches(10_000_000)]
    assert sum(sizes) == 64 << 20
    assert max(sizes) <= 8 << 20
