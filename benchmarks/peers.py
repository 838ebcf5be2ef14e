"""Count distinct n-grams, n = 1 to 4, of a text file with other tools, in their usual idiom.

`python -m benchmarks.peers NAME FILE` prints the four numbers. All split at single spaces.
"""

from __future__ import annotations

import os
import sys


def sets(path: str) -> list[int]:
    """Count with Python sets of tuples, one n after the other to save memory.

    From half a gigabyte on, count hashes of the tuples: the tuples would need more than 24 GB.
    """
    large = os.path.getsize(path) > 500_000_000
    counts = []
    for n in (1, 2, 3, 4):
        grams: set[object] = set()
        with open(path, encoding="utf-8") as file:
            for line in file:
                tokens = line.split()
                tuples = zip(*(tokens[i:] for i in range(n)))
                grams.update(map(hash, tuples) if large else tuples)
        counts.append(len(grams))
        del grams
    return counts


def polars(path: str) -> list[int]:
    """Count with polars: explode tokens, join neighbours of the same text, count unique, streaming."""
    import polars as pl

    lines = pl.scan_csv(path, has_header=False, separator="\x01", quote_char=None, new_columns=["line"])
    tokens = lines.with_row_index("row").select("row", pl.col("line").str.split(" ").alias("t")).explode("t")
    counts = []
    for n in (1, 2, 3, 4):
        grams = tokens.with_columns(
            pl.concat_str([pl.col("t").shift(-k) for k in range(n)], separator=" ").alias("g"),
            pl.col("row").shift(-(n - 1)).alias("end"),
        ).filter(pl.col("row") == pl.col("end"))
        counts.append(int(grams.select(pl.col("g").n_unique()).collect(engine="streaming").item()))
    return counts


def duckdb(path: str) -> list[int]:
    """Count strings with DuckDB."""
    import duckdb

    duckdb.sql("SET threads = 2")
    duckdb.sql("SET preserve_insertion_order = false")
    lines = (
        f"read_csv('{path}', columns={{'line': 'VARCHAR'}}, header=false, delim='\x01', quote='', escape='')"
    )
    counts = []
    for n in (1, 2, 3, 4):
        grams = (
            f"SELECT unnest([array_to_string(t[i:i+{n - 1}], ' ') FOR i IN range(1, len(t) - {n - 2})]) AS g "
            f"FROM (SELECT string_split(line, ' ') AS t FROM {lines})"
        )
        rows = duckdb.sql(f"SELECT count(*) FROM (SELECT DISTINCT g FROM ({grams}))").fetchall()
        counts.append(int(rows[0][0]))
    return counts


if __name__ == "__main__":
    print(*{"sets": sets, "polars": polars, "duckdb": duckdb}[sys.argv[1]](sys.argv[2]))
