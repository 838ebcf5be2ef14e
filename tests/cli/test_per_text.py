"""`distinctly measure --per-text`, `--keep` and `--correlate`: tables of texts, in every format."""

import csv
import gzip
import io
import json
import math

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest
from scipy import stats

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

ESSAYS = [
    ("Ann", "the cat sat on the mat and the cat slept", 3, "=1+1"),
    ("Bob", "a dog ran off with the ball", 4.5, "x"),
    ("Zoë", "né à Liège, né à Liège", -1, "-2"),
    ("Eve", "so it goes, and so it goes, and so it goes", 2, "@SUM(A1)"),
    ("Dan", "many different words make this sentence rather varied", 5, "plain"),
]
HEADER = ["Author", "Text", "Rating", "Remark"]
METRICS = ["distinct:n=1", "entropy:n=1", "mtld", "mattr:window=8"]
ASKED = ["--per-text", *(word for spec in METRICS for word in ("-m", spec))]


def expected(texts):
    """Return the values of each text alone: one row per text, None where undefined."""
    scores = [dy.measure([text], METRICS) for text in texts]
    return [[None if score.undefined else score.value for score in row] for row in scores]


def as_csv(delimiter=","):
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter).writerows([HEADER, *ESSAYS])
    return output.getvalue()


def opened(path):
    """Return the values of a file that was written, with the programs that users open it with."""
    if path.suffix == ".xlsx":
        header, *rows = openpyxl.load_workbook(path)["texts"].iter_rows(values_only=True)
        frame = pd.DataFrame(rows, columns=header)
    else:
        frame = pd.read_csv(path)
    return [
        [None if pd.isna(value) else value for value in row] for row in frame[METRICS].to_numpy().tolist()
    ]


def of_json(done):
    return [[row[spec] for spec in METRICS] for row in json.loads(done.stdout)["rows"]]


def check_end_to_end(command, tmp_path, file, texts, *options):
    """Measure a file per text, write .xlsx and .csv, and compare what is read again with JSON and by hand."""
    asked = ["measure", file, *options, *ASKED]
    printed = of_json(command(*asked, "--format", "json"))
    assert printed == expected(texts)
    for ending in (".xlsx", ".csv"):
        done = command(*asked, "-o", f"out{ending}")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert opened(tmp_path / f"out{ending}") == printed


def test_a_csv_in_windows_1252_is_measured_per_text(command, save, tmp_path):
    save("essays.csv", as_csv().encode("windows-1252"))
    texts = [text for _, text, *_ in ESSAYS]
    check_end_to_end(command, tmp_path, "essays.csv", texts, "--field", "Text", "--encoding", "windows-1252")


def test_a_csv_with_semicolons_is_measured_per_text(command, save, tmp_path):
    save("essays.csv", as_csv(";").encode("windows-1252"))
    texts = [text for _, text, *_ in ESSAYS]
    check_end_to_end(command, tmp_path, "essays.csv", texts, "--field", "Text", "--encoding", "windows-1252")


def test_a_workbook_is_measured_per_text(command, tmp_path):
    book = openpyxl.Workbook()
    for row in (HEADER, *ESSAYS):
        book.active.append([f" {cell}" if str(cell).startswith("=") else cell for cell in row])
    book.save(tmp_path / "essays.xlsx")
    texts = [text for _, text, *_ in ESSAYS]
    check_end_to_end(command, tmp_path, "essays.xlsx", texts, "--field", "Text")


LOG = [
    {"id": "r1", "choices": [{"message": {"content": "a cat sat"}, "why": "stop"},
                             {"message": {"content": "a cat sat on a cat"}, "why": "length"}]},
    {"id": "r2", "choices": [{"message": {"content": "the dog ran and the dog ran off"}, "why": "stop"}]},
]  # fmt: skip


def test_a_log_with_nested_lists_is_measured_per_text(command, save, tmp_path):
    save("log.jsonl", "".join(json.dumps(row) + "\n" for row in LOG))
    texts = [choice["message"]["content"] for row in LOG for choice in row["choices"]]
    options = ["--field", "choices[*].message.content"]
    check_end_to_end(command, tmp_path, "log.jsonl", texts, *options)
    kept = ["--id", "id", "--keep", "choices[*].why", "--keep", options[1]]
    rows = json.loads(command("measure", "log.jsonl", *options, *kept, *ASKED, "--format", "json").stdout)[
        "rows"
    ]
    assert [(row["id"], row["place"], row["choices[*].why"]) for row in rows] == [
        ("r1", 1, "stop"), ("r1", 2, "length"), ("r2", 1, "stop")
    ]  # fmt: skip
    assert [row[options[1]] for row in rows] == texts


def test_kept_fields_are_typed_and_safe(command, save, tmp_path):
    save("essays.csv", as_csv())
    asked = ["measure", "essays.csv", "--field", "Text", *ASKED, "--keep", "Author", "--keep", "R*"]
    for ending in (".csv", ".xlsx", ".parquet", ".jsonl"):
        assert command(*asked, "-o", f"out{ending}").returncode == 0
    frame = pd.read_csv(tmp_path / "out.csv")
    assert list(frame) == ["row", "Author", "Rating", "Remark", "tokens", *METRICS]
    assert frame["row"].tolist() == [1, 2, 3, 4, 5]
    # Numbers of the input are numbers, also negative ones; text that looks like a formula is none.
    assert frame["Rating"].tolist() == [3, 4.5, -1, 2, 5]
    assert frame["Remark"].tolist() == ["'=1+1", "x", "'-2", "'@SUM(A1)", "plain"]
    assert ",-1.0,'-2," in (tmp_path / "out.csv").read_text("utf-8")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["texts"]
    assert [cell.data_type for cell in sheet[4]] == ["n", "s", "n", "s", *["n"] * 5]
    table = pq.read_table(tmp_path / "out.parquet")
    assert [str(table.schema.field(name).type) for name in ("row", "Rating", "Remark", "mtld")] == [
        "int64", "double", "string", "double"
    ]  # fmt: skip
    assert table["Remark"].to_pylist() == [remark for *_, remark in ESSAYS]
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    # Two texts have fewer than 8 words.
    assert [line["mattr:window=8"] is None for line in lines] == [False, True, True, False, False]


def test_words_of_digits_stay_words(command, save):
    save("a.csv", "text,zip,year,big\na b,01234,2024,123456789012345678901\nc d,56789,2025,1\n")
    done = command("measure", "a.csv", "--per-text", "--keep", "*", "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert [(row["text"], row["zip"], row["year"]) for row in rows] == [
        ("a b", "01234", 2024),
        ("c d", "56789", 2025),
    ]


def test_the_terminal_shows_the_first_rows_and_a_summary(command, save, tmp_path):
    save("texts.txt", "".join(f"{'word ' * n}end\n" for n in range(1, 26)))
    shown = command("measure", "texts.txt", "--per-text").stdout
    assert "… 15 more rows: write all of them to a file with -o FILE." in shown
    assert "Summary" in shown
    for spec in ("distinct:n=1", "distinct:n=2", "entropy:n=1", "mtld"):
        assert spec in shown
    assert command("measure", "texts.txt", "--per-text", "-o", "all.txt").returncode == 0
    whole = (tmp_path / "all.txt").read_text("utf-8")
    assert "more rows" not in whole
    assert sum(line.startswith(" 25 ") for line in whole.splitlines()) == 1
    assert command("measure", "texts.txt", "--per-text", "--format", "csv").stdout.count("\n") == 26


def test_notes_are_given_once_with_counts(command, save):
    save("texts.txt", "a b\n" + "one\n" * 13 + "\n")
    done = command("measure", "texts.txt", "--per-text", "-m", "distinct:n=2", "-o", "out.csv")
    undefined = [line for line in done.stderr.splitlines() if "Undefined" in line]
    assert undefined == ["Note: Undefined for 14 of 15 texts: they have no 2-gram."]


def test_several_files_are_told_apart(command, save):
    save("a.txt", "a b\nc\n")
    save("b.txt", "a b c\n")
    rows = json.loads(command("measure", "a.txt", "b.txt", "--per-text", "--format", "json").stdout)["rows"]
    assert [(row["corpus"], row["row"], row["tokens"]) for row in rows] == [
        ("a.txt", 1, 2), ("a.txt", 2, 1), ("b.txt", 1, 3)
    ]  # fmt: skip
    folder = command("measure", "*.txt", "--per-text", "--format", "json")
    assert [(row["file"], row["row"]) for row in json.loads(folder.stdout)["rows"]] == [
        ("a.txt", 1), ("a.txt", 2), ("b.txt", 1)
    ]  # fmt: skip


def test_missing_texts_follow_nulls(command, save):
    save("a.jsonl", '{"text": "a b"}\n{"text": null}\n{"text": "c"}\n')
    asked = ["measure", "a.jsonl", "--per-text", "--format", "json"]
    refused = command(*asked)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "line 2: the text is missing (null)" in refused.stderr
    skipped = json.loads(command(*asked, "--nulls", "skip").stdout)
    assert [row["row"] for row in skipped["rows"]] == [1, 3]
    assert "1 missing texts were skipped (nulls=skip)." in skipped["notes"]
    emptied = json.loads(command(*asked, "--nulls", "empty").stdout)
    assert [row["tokens"] for row in emptied["rows"]] == [2, 0, 1]


def test_compressed_files_groups_and_by_are_kept(command, save):
    rows = [{"text": "a b", "who": "ann", "model": "x"}, {"text": "c", "who": "bob", "model": "y"}]
    save("a.jsonl.gz", gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    done = command(
        "measure", "a.jsonl.gz", "--per-text", "--group", "who", "--by", "model", "--format", "csv"
    )
    assert done.stdout.splitlines()[0].startswith("row,who,model,tokens,")
    assert done.stdout.splitlines()[1].startswith("1,ann,x,2,")


def test_correlations_are_shown_and_written(command, save, tmp_path):
    save("essays.csv", as_csv())
    asked = ["measure", "essays.csv", "--field", "Text", "-m", "distinct:n=1", "--correlate", "Rating"]
    shown = command(*asked)
    assert shown.returncode == 0, shown.stderr
    assert "Correlation with Rating" in shown.stdout
    (found,) = json.loads(command(*asked, "--format", "json").stdout)["correlations"]
    values = [dy.measure([text], "distinct:n=1")[0].value for _, text, *_ in ESSAYS]
    ratings = [rating for *_, rating, _ in ESSAYS]
    result = stats.pearsonr(values, ratings)
    assert found["pearson"] == pytest.approx(result.statistic)
    assert (found["pearson_low"], found["pearson_high"]) == pytest.approx(
        tuple(result.confidence_interval()), rel=1e-3
    )
    assert found["spearman"] == pytest.approx(stats.spearmanr(values, ratings).statistic)
    assert found["n"] == 5
    assert command(*asked, "-o", "out.xlsx").returncode == 0
    header, row = openpyxl.load_workbook(tmp_path / "out.xlsx")["correlations"].iter_rows(values_only=True)
    assert math.isclose(row[header.index("pearson")], found["pearson"])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-m", "self_bleu"], "'self_bleu' has no value for a single text. Metrics that have one: chao1,"),
        (["--correlate", "Author"], "essays.csv, line 2: expected a number in 'Author', got 'Ann'"),
        (["--correlate", "Ratng"], "Unknown field 'Ratng'. Did you mean 'Rating'?"),
        (["--keep", "Autor"], "Unknown field 'Autor'. Did you mean 'Author'?"),
        (["--interval"], "--interval is about a corpus as a whole"),
        (["--require", "distinct:n=1>0.2"], "--require is about a corpus as a whole"),
        (["--top", "3"], "--top is about a corpus as a whole"),
        (["--score-only"], "--score-only is about a corpus as a whole"),
        (["--format", "values"], "--format values is for single numbers"),
    ],
)
def test_what_does_not_fit_is_an_error_of_one_line(command, save, options, problem):
    save("essays.csv", as_csv())
    done = command("measure", "essays.csv", "--field", "Text", "--per-text", *options)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert problem in done.stderr


def test_lines_of_text_have_nothing_to_keep(command, save):
    save("a.txt", "a b\n")
    done = command("measure", "a.txt", "--keep", "author")
    assert done.returncode == 2
    assert "lines of text and lists have no fields to keep" in done.stderr


def test_a_text_per_row_is_judged_by_any_column(command, save, tmp_path):
    save("essays.csv", as_csv())
    done = command("judge", "people", "essays.csv", "--field", "Text", "--human", "Rating")
    assert done.returncode == 0, done.stderr
    assert "5 texts of essays.csv, metrics correlated with Rating." in done.stdout
    assert "Correlation with Rating on 5 texts" in done.stdout
    assert "have a higher Rating" in done.stdout
    assert "human score" not in done.stdout
    (left_out,) = [line for line in done.stdout.splitlines() if "metrics that compare texts" in line]
    assert "self_bleu" in left_out
    assert "Warning" not in done.stderr
    asked = ["judge", "people", "essays.csv", "--field", "Text", "--human", "Rating", "-m", "distinct:n=1"]
    trial = json.loads(command(*asked, "--format", "json").stdout)
    values = [dy.measure([text], "distinct:n=1")[0].value for _, text, *_ in ESSAYS]
    assert [record["value"] for record in trial["records"]] == values
    save("same.csv", "Text,Rating\na b,2\na a,2\na a a,2\n")
    same = command(
        "judge", "people", "same.csv", "--field", "Text", "--human", "Rating", "-m", "distinct:n=1"
    )
    assert "Undefined: all values of Rating are equal." in same.stdout


def test_a_text_that_does_not_fit_into_a_cell_is_not_shortened(command, save, tmp_path):
    save("long.csv", f"Text,Title\n{'word ' * 7000},a\nshort,b\n")
    options = ["measure", "long.csv::Text", "--per-text", "--keep", "Text", "-m", "types:n=1"]
    done = command(*options, "-o", "out.xlsx")
    # 7,000 words of 4 letters and a space.
    assert "at most 32,767 characters, but 'Text' has 35,000 in row 1. Choose .csv or .parquet" in done.stderr
    assert (done.returncode, (tmp_path / "out.xlsx").exists()) == (2, False)
    assert command(*options, "-o", "out.csv").returncode == 0
