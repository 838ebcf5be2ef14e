"""`-o FILE`: reports in files, by their ending; written as a whole or not at all."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pytest
from tests.systems import posix

import distinctly as dy
from distinctly.judging import read_trial
from distinctly.report.saving import ENDINGS

pytestmark = pytest.mark.slow  # a process per test

TEXTS = "the cat sat on the mat\na dog ran off with the ball\nün café\n"
SPECS = ["distinct:n=1", "entropy:n=1", "mattr"]  # no text has the 50 tokens of a window of mattr
ASKED = [word for spec in SPECS for word in ("-m", spec)]


@pytest.fixture
def texts(save):
    return save("texts.txt", TEXTS)


def expected_values(texts):
    return [None if score.undefined else score.value for score in dy.measure(str(texts), SPECS)]


def read_back(path):
    """Return the values of a file of scores, with the program that users open it with."""
    if path.suffix == ".xlsx":
        rows = list(openpyxl.load_workbook(path)["scores"].iter_rows(values_only=True))
        return [row[rows[0].index("value")] for row in rows[1:]]
    if path.suffix == ".parquet":
        return pq.read_table(path)["value"].to_pylist()
    if path.suffix == ".json":
        return [score["value"] for score in json.loads(path.read_text("utf-8"))["scores"]]
    frames = {".csv": pd.read_csv, ".tsv": lambda p: pd.read_csv(p, sep="\t"), ".jsonl": _read_lines}
    return [None if pd.isna(value) else value for value in frames[path.suffix](path)["value"]]


def _read_lines(path):
    return pd.DataFrame([json.loads(line) for line in path.read_text("utf-8").splitlines()])


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx", ".parquet", ".json", ".jsonl"])
def test_the_values_of_a_file_are_those_of_the_run(command, texts, tmp_path, ending):
    done = command("measure", "texts.txt", *ASKED, "-o", f"scores{ending}")
    assert (done.returncode, done.stdout) == (0, "")
    assert f"distinctly: wrote scores{ending}\n" in done.stderr
    assert "Note: " in done.stderr  # what a reader should know is not lost with the table
    assert read_back(tmp_path / f"scores{ending}") == expected_values(texts)


@pytest.mark.parametrize(("ending", "form"), [(".md", "markdown"), (".tex", "latex"), (".txt", "table")])
def test_a_readable_file_is_what_the_format_prints(command, texts, tmp_path, ending, form):
    printed = command("measure", "texts.txt", *ASKED, "--format", form).stdout
    command("measure", "texts.txt", *ASKED, "--output", f"scores{ending}")
    assert (tmp_path / f"scores{ending}").read_text("utf-8") == printed
    assert "\x1b" not in printed


@pytest.mark.slow
def test_compare_and_judge_write_files(command, texts, save, tmp_path):
    save("other.txt", "a b\nb c\nc d\n")
    done = command("compare", "texts.txt", "other.txt", "-m", "jensen_shannon", "-o", "distances.xlsx")
    assert done.returncode == 0, done.stderr
    assert read_back(tmp_path / "distances.xlsx") == [
        dy.compare(str(texts), str(tmp_path / "other.txt"), "jensen_shannon")[0].value
    ]
    rows = [{"texts": ["a b", "a c"], "score": 1}, {"texts": ["a b", "c d"], "score": 2}]
    save("sets.jsonl", "".join(json.dumps(row) + "\n" for row in [*rows, {**rows[0], "score": 0}]))
    asked = ["judge", "people", "sets.jsonl", "--human", "score", "-m", "distinct:n=1"]
    for ending in ENDINGS:
        done = command(*asked, "-o", f"trial{ending}")
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
    assert openpyxl.load_workbook(tmp_path / "trial.xlsx").sheetnames[:2] == ["findings", "records"]
    assert read_trial(tmp_path / "trial.csv").findings == read_trial(tmp_path / "trial.json").findings
    assert command("judge", "table", "trial.csv", "-o", "again.md").returncode == 0
    assert (tmp_path / "again.md").read_text() == (tmp_path / "trial.md").read_text()
    refused = command(*asked, "--save", "trial.json", "-o", "./trial.json")
    assert refused.returncode == 2
    assert "--save and --output name the same file" in refused.stderr


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-o", "scores.doc"], "expected one of .csv, .tsv, .xlsx, .parquet, .json"),
        (["-o", "scores"], "got none in 'scores'"),
        (["-o", "missing/scores.csv"], "missing: this folder does not exist."),
        (["-o", "folder.csv"], "folder.csv: this is a folder."),
        (["-o", "scores.csv", "--format", "json"], "--format json does not agree with the ending"),
        (["-o", "scores.xlsx", "--top", "3"], "--top needs a .json, .md, .html or .txt file"),
        (["-o", "scores.csv", "--explain"], "--explain needs --format"),
        (["-o", "scores.json", "--bom"], "--bom is for csv and tsv"),
        (["--raw-cells"], "--raw-cells is for csv, tsv and xlsx"),
    ],
)
def test_a_file_that_cannot_be_written_is_an_error_before_the_work(command, tmp_path, options, problem):
    (tmp_path / "folder.csv").mkdir()
    # The corpus does not exist, which reading would notice.
    done = command("measure", "no-such-corpus.txt", *options)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert problem in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_an_error_before_the_work(command, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    done = command("measure", "no-such-corpus.txt", "-o", "closed/scores.csv")
    assert (done.returncode, "permission denied" in done.stderr) == (2, True)


def test_a_format_that_agrees_is_allowed(command, texts, tmp_path):
    assert command("measure", "texts.txt", "--format", "csv", "-o", "a.csv").returncode == 0
    assert command("measure", "texts.txt", "-m", "types:n=1", "--score-only", "-o", "a.txt").returncode == 0
    assert (tmp_path / "a.txt").read_text() == "13.0\n"  # 5 + 7 + 2 words, "the" twice
    assert command("measure", "texts.txt", "-m", "types:n=1", "--score-only", "-o", "-").stdout == "13.0\n"


def test_a_missing_package_is_named_before_the_work(command, save):
    save("stubs/xlsxwriter.py", "raise ImportError('not here')\n")
    environment = {"PYTHONPATH": os.pathsep.join(["stubs", os.environ.get("PYTHONPATH", "")])}
    done = command("measure", "no-such-corpus.txt", "-o", "scores.xlsx", environment=environment)
    assert done.returncode == 2
    assert 'pip install "distinctly[excel]"' in done.stderr


@posix
def test_a_failed_run_leaves_the_file_as_it_was(command, texts, save, tmp_path):
    before = save("scores.csv", "precious\n")
    assert command("measure", "texts.txt", "no-such-corpus.txt", "-o", "scores.csv").returncode == 2
    assert before.read_text() == "precious\n"
    before.chmod(0o600)
    assert command("measure", "texts.txt", "-o", "scores.csv").returncode == 0
    assert before.read_text().startswith("corpus,")
    assert before.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.csv", "texts.txt"]


@posix
def test_an_interrupted_run_leaves_no_file(tmp_path):
    # Standard input that does not end keeps the command reading.
    with subprocess.Popen(
        [sys.executable, "-m", "distinctly", "measure", "-", "-o", "scores.csv"],
        cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)
    assert run.returncode == 130
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_finished_is_not_begun(tmp_path, monkeypatch):
    scores = dy.measure(["a b", "a c"], "distinct:n=1")
    scores.save(tmp_path / "scores.csv")
    before = (tmp_path / "scores.csv").read_bytes()
    written = type(tmp_path).write_bytes

    def full(self, contents):
        written(self, contents[:10])
        raise OSError("No space left on device")

    monkeypatch.setattr(type(tmp_path), "write_bytes", full)
    with pytest.raises(dy.InputError, match="scores.csv: the results cannot be written: No space left"):
        scores.save(tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


@posix
def test_a_link_is_followed(texts, tmp_path):
    (tmp_path / "real.csv").touch()
    (tmp_path / "link.csv").symlink_to("real.csv")
    dy.measure(["a b"], "distinct:n=1").save(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("corpus,")


def test_a_byte_order_mark_is_written_on_request(command, save, tmp_path):
    save("café.txt", "a b\n")
    asked = ["measure", "café.txt", "-m", "distinct:n=1"]
    command(*asked, "--bom", "-o", "marked.csv")
    marked = (tmp_path / "marked.csv").read_bytes()
    command(*asked, "-o", "plain.csv")
    assert marked == b"\xef\xbb\xbf" + (tmp_path / "plain.csv").read_bytes()
    assert "café.txt" in marked.decode("utf-8-sig")
    assert command(*asked, "--format", "csv", "--bom", raw=True).stdout == marked


def test_a_workbook_has_numbers_a_header_and_sheets(command, save, tmp_path):
    save("a.txt", "a b c\nd e f\ng h i\nj k l\n")
    save("b.txt", "a b c\na b d\na b c\na b e\n")
    done = command("measure", "a.txt", "b.txt", "-m", "distinct:n=1", "-o", "scores.xlsx")
    assert done.returncode == 0, done.stderr
    book = openpyxl.load_workbook(tmp_path / "scores.xlsx")
    assert book.sheetnames == ["scores", "comparisons", "notes"]
    sheet = book["scores"]
    header = {cell.value: cell for cell in sheet[1]}
    assert all(cell.font.bold for cell in sheet[1])
    assert sheet.freeze_panes == "A2"
    value, count = (sheet.cell(2, header[name].column) for name in ("value", "N"))
    assert (value.data_type, value.number_format, value.value) == ("n", "0.0000", 1.0)
    assert (count.data_type, count.number_format, count.value) == ("n", "0", 12)  # 12 letters
    assert sheet.column_dimensions["A"].width >= 8


DANGEROUS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "'=1", '=cmd|"/c calc"!A0']
HARMLESS = ["plain", "a=b", "1-2", "'tis", "é"]


@pytest.mark.parametrize("name", DANGEROUS)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path, name):
    scores = dy.measure(dy.Corpus(["a b"], name=name), "distinct:n=1")
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        path = tmp_path / f"scores{ending}"
        scores.save(path)
        with path.open(encoding="utf-8", newline="") as file:
            assert next(csv.DictReader(file, delimiter=delimiter))["corpus"] == f"'{name}"
        scores.save(path, raw_cells=True)
        with path.open(encoding="utf-8", newline="") as file:
            assert next(csv.DictReader(file, delimiter=delimiter))["corpus"] == name
    scores.save(tmp_path / "scores.xlsx")
    cell = openpyxl.load_workbook(tmp_path / "scores.xlsx")["scores"]["A2"]
    # A workbook escapes a carriage return, which openpyxl does not undo.
    assert (cell.data_type, cell.value.replace("_x000D_", "\r")) == ("s", f"'{name}")
    scores.save(tmp_path / "scores.xlsx", raw_cells=True)
    assert openpyxl.load_workbook(tmp_path / "scores.xlsx")["scores"]["A2"].data_type == "s"
    scores.save(tmp_path / "scores.parquet")
    assert pq.read_table(tmp_path / "scores.parquet")["corpus"].to_pylist() == [name]


@pytest.mark.parametrize("name", HARMLESS)
def test_other_text_and_numbers_stay_as_they_are(tmp_path, name):
    score = dy.Score(-0.5, spec="x", corpus=name, parts={"change": -3})
    dy.Scores([score]).save(tmp_path / "scores.csv")
    row = next(csv.DictReader(io.StringIO((tmp_path / "scores.csv").read_text("utf-8"))))
    assert (row["corpus"], row["value"], row["change"]) == (name, "-0.5", "-3")


def test_csv_on_standard_output_is_safe_unless_raw(command, save):
    save("=1+1.txt", "a b\n")
    for options, shown in (([], "'=1+1.txt"), (["--raw-cells"], "=1+1.txt")):
        printed = command("measure", "=1+1.txt", "-m", "distinct:n=1", "--format", "csv", *options).stdout
        assert next(csv.DictReader(io.StringIO(printed)))["corpus"] == shown


@pytest.mark.parametrize("options", [[], ["--raw-cells"], ["--bom"]])
def test_names_of_a_trial_survive_its_csv(command, save, tmp_path, options):
    names = ["=1+1", "'=1+1", "'tis", "x,=1+1;-2", "plain"]
    rows = [{"texts": ["a b", word], "score": place, "part": name}
            for name in names for place, word in enumerate(["a b", "a c", "c d", "a a"])]  # fmt: skip
    save("sets.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    asked = ["judge", "people", "sets.jsonl", "--human", "score", "--subset", "part", "-m", "distinct:n=1"]
    assert command(*asked, "--save", "saved.csv", "-o", "trial.csv", *options).returncode == 0
    for file in ("saved.csv", "trial.csv"):
        trial = read_trial(tmp_path / file)
        assert sorted({record["subset"] for record in trial.records}) == sorted(names)
        assert list(trial.settings["subsets"]) == names
    # No cell of the file, split at commas or semicolons, is a formula; numbers may be negative.
    guarded = (tmp_path / "saved.csv").read_text("utf-8")
    for delimiter in ",;":
        for line in csv.reader(io.StringIO(guarded.split("\n", 1)[0]), delimiter=delimiter):
            assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in line)
    # An interrupted run is resumed from such a file.
    assert command(*asked, "--save", "saved.csv").returncode == 0


HTML = ["<script>alert(1)</script>", '<img src=x onerror="alert(1)">', "[x](javascript:alert(1))", "a|b",
        "`code`", "``<b>``", "&lt;script&gt;", "![x](http://example.org/x.png)", "<javascript:alert(1)>",
        "*bold* _it_ ~~no~~", "# heading", "\\<script>", "`<script>`"]  # fmt: skip


@pytest.mark.parametrize("text", HTML)
def test_markdown_shows_names_and_texts_as_they_are(save, command, tmp_path, text):
    from markdown_it import MarkdownIt

    corpora = [dy.Corpus([f"{text} x y"] * 3 + ["a b c"], name=f"{text} {place}") for place in "12"]
    scores = dy.measure(corpora, ["distinct:n=1", "mattr"], tokenizer="whitespace", top=5, explain=3)
    scores.save(tmp_path / "scores.md")
    written = (tmp_path / "scores.md").read_text("utf-8")
    assert "<script" not in written
    assert "<img" not in written
    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(written)
    assert not any(
        tag in page for tag in ("<script", "<img", "<a ", "<b>", "<h1", "<s>", "<em>bold", "<em>it")
    )
    shown = page.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    assert f"{text} 1" in shown  # the name of the corpus, in the table and in the notes
    assert page.count("<td") % 3 == 0  # a bar begins no cell


LATEX = ["\\input{/etc/passwd}", "50%_of #1 & $x$ ^^41", "two\nlines\\input{x}"]


@pytest.mark.parametrize("name", LATEX)
def test_latex_obeys_no_name(tmp_path, name):
    corpora = [dy.Corpus(["a b", "c d", "a b"], name=f"{name} {place}") for place in "12"]
    dy.measure(corpora, ["distinct:n=1", "mattr"]).save(tmp_path / "scores.tex")
    lines = (tmp_path / "scores.tex").read_text("utf-8").splitlines()
    code = [line for line in lines if not line.startswith("% ")]
    assert not any("\\input" in line or "^^" in line for line in code)
    assert code[0].startswith("\\begin{tabular}")
    assert code[-1] == "\\end{tabular}"
