"""Files as users have them: delimiters, encodings, Excel, JSON under other names, long rows."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

DISTINCT = ("-m", "distinct:n=1", "--tokenizer", "whitespace", "--format", "json")


def parts(done: subprocess.CompletedProcess) -> list[tuple[int, int, int]]:
    """Return the numbers of texts, types and tokens of each corpus."""
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["scores"]
    return [(score["parts"]["texts"], score["parts"]["N"], score["parts"]["C"]) for score in scores]


def refusal(done: subprocess.CompletedProcess) -> str:
    """Return the error, which is one line."""
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("distinctly: error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


# ------------------------------------------------------------------------------------------- delimiters


@pytest.mark.parametrize(
    ("name", "written", "field", "texts"),
    [
        ("rows.csv", "id;text\n1;a b\n2;c\n", "text", ["a b", "c"]),
        ("rows.csv", "id|text\n1|a b\n2|c\n", "text", ["a b", "c"]),
        ("rows.csv", "id\ttext\n1\ta b\n2\tc\n", "text", ["a b", "c"]),
        ("rows.tsv", "id;text\n1;a b\n2;c\n", "text", ["a b", "c"]),
        ("rows.tsv", "id\ttext\n1\ta; b\n2\tc; d\n", "text", ["a; b", "c; d"]),
        # Every record has a decimal comma, so that commas alone would fit as well.
        ("rows.csv", "Text;Gewicht, kg\nein Ei;1,5\neine Uhr;2,5\n", "Text", ["ein Ei", "eine Uhr"]),
        ("rows.csv", "id,text\n1,a; b; c\n2,d; e\n", "text", ["a; b; c", "d; e"]),
        ("rows.csv", 'id;text\n1;"a; b, c"\n2;"d\n;e"\n', "text", ["a; b, c", "d\n;e"]),
        ("rows.csv", "text\na, b; c\nd\n", "text", ["a, b; c", "d"]),
        ("rows.csv", '"text"\n"a, b"\nc\n', "text", ["a, b", "c"]),
        ("rows.csv", "sep=|\nid|text\n1|a;b,c\n", "text", ["a;b,c"]),
        ("rows.csv", "sep=;\r\nid;text\r\n1;a\r\n", "text", ["a"]),
        ("rows.csv", "\ufeffsep=;\nid;text\n1;a\n", "text", ["a"]),
    ],
    ids=[
        *("semicolons", "bars", "tabs", "tsv with semicolons", "tsv with semicolons in texts"),
        *("decimal commas", "semicolons in texts", "quoted delimiters", "one column", "one quoted column"),
        *("sep=|", "sep=; with Windows line ends", "sep=; after a byte order mark"),
    ],
)
def test_the_delimiter_is_detected(save, name, written, field, texts):
    assert dy.Corpus.read(save(name, written), field=field).texts() == texts


@pytest.mark.parametrize("delimiter", [";", "semicolon", "Semicolon"])
def test_the_delimiter_can_be_given(command, save, delimiter):
    # With commas, the header has the field too.
    path = save("rows.csv", "text,x;text\na,b;c d\n")
    assert parts(command("measure", path, "--delimiter", delimiter, *DISTINCT)) == [(1, 2, 2)]
    assert dy.Corpus.read(path, delimiter=delimiter).texts() == ["c d"]


@pytest.mark.parametrize("delimiter", ["\t", r"\t", "tab"])
def test_a_tab_can_be_given_in_words(save, delimiter):
    assert dy.Corpus.read(save("rows.csv", "text\tid\na,b\t1\n"), delimiter=delimiter).texts() == ["a,b"]


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "colon"])
def test_a_delimiter_is_one_character(delimiter):
    with pytest.raises(dy.SpecError, match="`delimiter` to be one character"):
        dy.read("demo:english-varied", delimiter=delimiter)


def test_a_wrong_number_of_cells_names_the_delimiter_and_the_remedy(command, save):
    error = refusal(command("measure", save("rows.csv", "sep=;\nid;text\n1;a\n2;b;c\n")))
    assert "rows.csv, line 4: expected 2 cells as in the header, got 3, with a semicolon as the" in error
    assert "--delimiter" in error


# -------------------------------------------------------------------------------------------- encodings

WRITTEN = {
    "txt": "un café\nдва\n",
    "jsonl": '{"text": "un café"}\n{"text": "два"}\n',
    "json": '[{"text": "un café"}, {"text": "два"}]',
    "csv": "text,id\nun café,1\nдва,2\n",
    "tsv": "text\tid\nun café\t1\nдва\t2\n",
}
MARKED = ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("encoding", MARKED)
@pytest.mark.parametrize("ending", WRITTEN)
def test_a_byte_order_mark_decides(command, save, ending, encoding):
    mark = "" if encoding == "utf-8-sig" else "\ufeff"
    content = (mark + WRITTEN[ending]).encode(encoding)
    assert dy.Corpus.read(save(f"rows.{ending}", content)).texts() == ["un café", "два"]
    assert dy.Corpus.read(save(f"rows.{ending}.gz", gzip.compress(content))).texts() == ["un café", "два"]
    if ending == "txt":
        # Two texts, three tokens, all different.
        assert parts(command("measure", "-", *DISTINCT, given=content)) == [(2, 3, 3)]


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_given_encoding_also_drops_the_mark(save, ending):
    path = save(f"rows.{ending}", ("\ufeff" + WRITTEN[ending]).encode("utf-16-le"))
    assert dy.Corpus.read(path, encoding="utf-16-le").texts() == ["un café", "два"]


@pytest.mark.parametrize(("encoding", "place"), [("utf-16-le", 1), ("utf-16-be", 0), ("utf-32-le", 1)])
@pytest.mark.parametrize("ending", WRITTEN)
def test_wide_characters_without_a_mark_are_an_error_that_names_the_encoding(
    command, save, ending, encoding, place
):
    content = WRITTEN[ending].replace("два", "deux").encode(encoding)
    for path in (save(f"rows.{ending}", content), save(f"rows.{ending}.gz", gzip.compress(content))):
        with pytest.raises(dy.InputError, match=f"line 1: not UTF-8, but {encoding} .*byte {place} of"):
            dy.measure(path)
    error = refusal(command("measure", "-", "--input", ending, given=content))
    assert f"--encoding {encoding} (Python: encoding=" in error
    assert dy.Corpus.read(save(f"rows.{ending}", content), encoding=encoding).texts() == ["un café", "deux"]


@pytest.mark.parametrize("ending", WRITTEN)
def test_windows_bytes_are_an_error_that_names_the_encoding(command, save, ending):
    content = WRITTEN[ending].replace("два", "deux").encode("cp1252")
    path = save(f"rows.{ending}", content)
    error = refusal(command("measure", path))
    line = 2 if ending in ("csv", "tsv") else 1
    place = content.index(0xE9)
    assert f"rows.{ending}, line {line}: not valid UTF-8 (byte {place} of the file: e9)" in error
    assert "--encoding windows-1252" in error
    assert 'encoding="windows-1252"' in error
    assert "--encoding windows-1252" in refusal(command("measure", "-", "--input", ending, given=content))
    assert dy.Corpus.read(path, encoding="windows-1252").texts() == ["un café", "deux"]


def test_no_encoding_is_guessed_for_other_scripts_and_for_damaged_utf_8(save):
    for content in ("это старый текст\n".encode("cp1251"), "два café ".encode() + b"\xff" + "три\n".encode()):
        with pytest.raises(dy.InputError, match="Name its encoding with --encoding, or --errors replace"):
            dy.measure(save("rows.txt", content))


# ------------------------------------------------------------------------------------------------ Excel


def workbook(rows: list[list[object]], *, sheet: str = "Answers") -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    book.create_sheet("Second").append(["Text"])
    book["Second"].append(["another sheet"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ROWS: list[list[object]] = [["Text", "Person"], ["a b", 3], ["a c", 3], [None, None], ["d", "x"]]


@pytest.mark.parametrize("ending", ["xlsx", "xlsm", "XLSX"])
def test_a_sheet_has_one_text_per_row(command, save, ending):
    path = save(f"rows.{ending}", workbook(ROWS))
    # a b a c d: 4 of 5 are distinct.
    assert parts(command("measure", path, "--field", "Text", *DISTINCT)) == [(3, 4, 5)]
    assert dy.Corpus.read(path, field="Text", sheet="Second").texts() == ["another sheet"]
    assert parts(command("measure", path, "--field", "Text", "--sheet", "Second", *DISTINCT)) == [(1, 2, 2)]


def test_whole_numbers_are_groups_without_a_fraction(save):
    batch = next(dy.Corpus.read(save("rows.xlsx", workbook(ROWS)), field="Text", group="Person").batches())
    assert batch.groups.tolist() == ["3", "3", "x"]


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        ([["Text"], ["a"], [5]], ["--field", "Text"], "row 3: expected text, got a number (5)"),
        ([["Text", "id"], ["a", 1], [None, 2]], ["--field", "Text"], "row 3: the text is missing (null)"),
        ([[], ["Text"], ["a"], [True]], ["--field", "Text"], "row 4: expected text, got a truth value"),
        (ROWS, [], "row 1: Unknown field 'text'. Did you mean 'Text'? Fields: Text, Person"),
        (ROWS, ["--sheet", "Secnd"], "Unknown sheet 'Secnd'. Did you mean 'Second'? Sheets: Answers, Second"),
        ([["Text"]], ["--field", "Text"], "the sheet 'Answers' has only a header"),
        ([], ["--field", "Text"], "the sheet 'Answers' is empty"),
    ],
)
def test_errors_number_rows_as_excel_does(command, save, rows, arguments, message):
    assert message in refusal(command("measure", save("rows.xlsx", workbook(rows)), *arguments))


def test_missing_texts_of_a_sheet_can_be_skipped(save):
    path = save("rows.xlsx", workbook([["Text", "id"], ["a", 1], [None, 2]]))
    assert dy.Corpus.read(path, field="Text", nulls="skip").texts() == ["a"]
    assert dy.Corpus.read(path, field="Text", nulls="empty").texts() == ["a", ""]


def test_the_package_for_excel_is_named_if_it_is_missing(command, save):
    path = save("rows.xlsx", workbook(ROWS))
    save("python_calamine.py", "raise ImportError('not installed')")
    folders = [str(path.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {"PYTHONPATH": os.pathsep.join(folders)}
    error = refusal(command("measure", path, "--field", "Text", environment=environment))
    assert "Reading Excel files needs the package python-calamine, which cannot be imported" in error
    assert 'pip install "distinctly[excel]"' in error


def test_a_zip_bomb_is_refused_by_its_directory(command, save):
    content = workbook(ROWS)
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for member in source.namelist():
            data = source.read(member)
            if member == "xl/worksheets/sheet1.xml":
                data = data.replace(b"<sheetData>", b"<sheetData>" + b" " * 300_000_000)
            bomb.writestr(member, data)
    done = command("measure", save("bomb.xlsx", file.getvalue()), "--field", "Text", "--memory", "200MB")
    assert "bomb.xlsx: the workbook takes 300 MB of memory or more; 200 MB may be used" in refusal(done)


def test_a_cell_far_away_is_refused(command, save):
    # The rectangle up to XFD1048576 has 2^34 cells.
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["XFD1048576"] = "text", "a", "far away"
    file = io.BytesIO()
    book.save(file)
    error = refusal(command("measure", save("far.xlsx", file.getvalue())))
    assert "MB may be used. Delete sheets and cells" in error


@pytest.mark.slow
def test_a_long_string_in_many_cells_is_refused(command, save):
    # 10,000 cells refer to one string of 30,000 characters: 300 MB.
    content = workbook([["text"], *[["a" * 30_000]] * 10_000])
    error = refusal(command("measure", save("rows.xlsx", content), "--memory", "200MB"))
    assert "of memory or more; 200 MB may be used" in error


def test_excel_is_a_file_of_its_own(command, save):
    content = workbook(ROWS)
    assert "Excel cannot be read from standard input" in refusal(
        command("measure", "-", "--input", "xlsx", given=content)
    )
    path = save("rows.xlsx.gz", gzip.compress(content))
    assert "Excel cannot be read from .gz files" in refusal(command("measure", path))
    assert "it has a password, or is an .xls file" in refusal(
        command("measure", save("old.xlsx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)))
    )


# ------------------------------------------------------------------------------ fields of several files


def test_lines_beside_a_table_need_no_field(command, save):
    lines, table = save("in/a.txt", "a b\nc\n"), save("in/b.csv", "Text,id\na a,1\n")
    asked = ("--field", "Text", *DISTINCT)
    assert parts(command("measure", lines, table, *asked)) == [(2, 3, 3), (1, 1, 2)]
    # One corpus: a b c a a.
    assert parts(command("measure", lines.parent, *asked)) == [(3, 3, 5)]
    assert parts(command("measure", lines.parent / "*.*", *asked)) == [(3, 3, 5)]
    scores = dy.measure({"a": str(lines), "b": str(table)}, "distinct:n=1", field="Text")
    assert [score.parts["C"] for score in scores] == [3, 2]
    assert dy.compare(str(lines), str(table), "jensen_shannon", field="Text")[0].parts["candidate_texts"] == 1
    done = command("compare", lines, table, "--field", "Text", "-m", "jensen_shannon", "--score-only")
    assert done.returncode == 0, done.stderr
    asked = ("--field", "Text", "-m", "ead:vocabulary=reference", "--reference", lines, "--score-only")
    done = command("measure", table, *asked)
    assert done.returncode == 0, done.stderr


def test_lines_alone_have_no_field_and_never_a_group(command, save):
    lines, table = save("a.txt", "a b\nc\n"), save("b.csv", "Text,id\na a,1\n")
    assert "a.txt: lines of text have no fields, so no field. Remove the option" in refusal(
        command("measure", lines, "--field", "Text")
    )
    assert "so no field" in refusal(command("measure", lines, save("c.txt", "d\n"), "--field", "Text"))
    error = refusal(command("measure", lines, table, "--field", "Text", "--group", "id"))
    assert "a.txt: lines of text have no fields, so no group" in error


def test_a_path_names_its_field(command, save):
    save("a.csv", "Text;Answer\na b;c\nd;e f\n")
    save("b.jsonl", '{"answer": "x"}\n')
    done = command("measure", "a.csv::Text", "a.csv::Answer", "b.jsonl::answer", *DISTINCT)
    assert parts(done) == [(2, 3, 3), (2, 3, 3), (1, 1, 1)]
    names = [corpus["name"] for corpus in json.loads(done.stdout)["corpora"]]
    assert names == ["a.csv::Text", "a.csv::Answer", "b.jsonl::answer"]
    done = command("compare", "a.csv::Text", "a.csv::Answer", "-m", "jensen_shannon", "--format", "json")
    assert [score["corpus"] for score in json.loads(done.stdout)["scores"]] == ["a.csv::Answer"]


def test_a_path_with_a_field_in_python(save):
    path = save("a.csv", "Text,Answer::1\na b,c\n")
    assert dy.Corpus.read(f"{path}::Text").texts() == ["a b"]
    assert dy.Corpus.read([f"{path}::Text", f"{path}::Answer::1"]).texts() == ["a b", "c"]
    assert dy.measure(f"{path.parent}/*.csv::Answer::1", "distinct:n=1")[0].parts["C"] == 1
    named = save("b.csv::Text", "one line\n")
    assert dy.Corpus.read(str(named)).texts() == ["one line"]
    with pytest.raises(dy.SpecError, match="Expected the name of a field after '::'"):
        dy.read(f"{path}::")
    with pytest.raises(dy.InputError, match="lines of text have no fields, so no field. Remove '::Text'"):
        dy.read(f"{save('a.txt', 'a')}::Text")


# ------------------------------------------------------------------------------- JSON under other names

OBJECTS = '\n{"text": "a b"}\n{"text": "c"}\n'


@pytest.mark.parametrize("name", ["rows.log", "rows", "rows.txt", "rows.txt.gz", "rows.unknown"])
def test_json_lines_are_not_measured_as_text(command, save, name):
    path = save(name, gzip.compress(OBJECTS.encode()) if name.endswith("gz") else OBJECTS)
    error = refusal(command("measure", path))
    assert f"{name}, line 1: the file has JSON, not one text per line. Choose --input jsonl" in error
    assert 'format="jsonl"' in error
    assert "--input txt" in error
    assert parts(command("measure", path, "--input", "jsonl", *DISTINCT)) == [(2, 3, 3)]
    # {"text": "a b"} {"text": "c"}: 4 distinct of 5 tokens, in three lines of which one is blank.
    assert parts(command("measure", path, "--input", "txt", *DISTINCT)) == [(3, 4, 5)]


def test_json_lines_on_standard_input_are_not_measured_as_text(command):
    assert "Choose --input jsonl" in refusal(command("measure", "-", given=OBJECTS))
    assert "Choose --input jsonl" in refusal(command("measure", "-", given=OBJECTS.encode("utf-16")))
    assert parts(command("measure", "-", "--input", "jsonl", *DISTINCT, given=OBJECTS)) == [(2, 3, 3)]


@pytest.mark.parametrize(
    "written",
    ['[{"text": "a"}]\n', '[\n  {\n    "text": "a"\n  }\n]\n', '[\n"a",\n"b"]', '{\n  "text": "a"\n}'],
)
def test_an_array_is_not_measured_as_text(command, written):
    assert "Choose --input json (Python:" in refusal(command("measure", "-", given=written))


@pytest.mark.parametrize(
    "written",
    [
        '{"text": "a"}\nno object\n',
        "[1]\n[2]\n",
        "{}\n",
        "[ ]\n",
        "{curly}\n",
        '"quoted"\n',
        "5\n",
        '{"a": 1}\n\n\n{"a": 2}\n{"a": 3}\n{"a": 4}\nthe fifth line is text\n',
    ],
)
def test_lines_that_may_be_text_are_text(save, written):
    assert len(dy.Corpus.read(save("rows.txt", written)).texts()) == written.count("\n")


def test_formats_of_json_that_are_mixed_up_name_the_other(command, save):
    error = refusal(command("measure", save("rows.json", OBJECTS)))
    assert "rows.json, line 3: expected an array of objects, got objects one after another" in error
    assert "--input jsonl" in error
    for written in ('[{"text": "a"}, {"text": "b"}]\n', '[\n  {"text": "a"}\n]\n'):
        error = refusal(command("measure", save("rows.jsonl", written)))
        assert "rows.jsonl, line 1" in error
        assert "If the file is one array, choose --input json" in error


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("value", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "1" + "]" * 900])
def test_deep_nesting_is_an_error(command, save, ending, value):
    path = save(f"rows.{ending}", f'{{"text": {value}}}' if ending == "jsonl" else f'[{{"text": {value}}}]')
    refusal(command("measure", path))


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_integers_may_have_any_length(save, ending):
    written = f'{{"text": "a b", "n": {"9" * 5_000}}}'
    path = save(f"rows.{ending}", written if ending == "jsonl" else f"[{written}]")
    assert dy.Corpus.read(path).texts() == ["a b"]


# ----------------------------------------------------------------------------------------------- memory

LONG = 6_000_000  # more than the smallest limit, 4 MiB
LIMITED = ("--memory", "10MB")


@pytest.mark.parametrize(
    ("name", "content", "row"),
    [
        ("rows.txt", b"a\n" + b"a" * LONG, "line 2: the text"),
        ("rows.txt", bytes(LONG), "line 1: the text"),
        ("rows.jsonl", b'{"text": "a"}\n{"text": "' + b"a" * LONG + b'"}\n', "line 2: the text"),
        ("rows.json", b'["a", "' + b"a" * LONG + b'"]', "row 1: the text"),
        ("rows.csv", b'id,text\n1,"' + b"a\n" * LONG + b'"\n', "line 2: the record"),
        ("rows.csv", b"id,text\n1," + b"a" * LONG + b"\n", "line 2: the text"),
    ],
    ids=["a line", "zero bytes", "a JSON line", "an item of an array", "a quoted cell", "a cell"],
)
@pytest.mark.parametrize("compressed", [False, True])
def test_a_row_that_takes_too_much_memory_is_an_error(command, save, name, content, row, compressed):
    path = save(f"{name}.gz", gzip.compress(content, 1)) if compressed else save(name, content)
    error = refusal(command("measure", path, *LIMITED))
    assert f"{path.name}, {row} is longer than 4 MB, the limit for 10 MB of memory." in error
    assert "or raise --memory (Python: memory=)" in error


def test_the_limit_of_a_row_grows_with_the_memory(command, save):
    path = save("rows.txt", b"a" * LONG)
    assert parts(command("measure", path, "--memory", "1GB", *DISTINCT)) == [(1, 1, 1)]
    with pytest.raises(dy.InputError, match="longer than 4 MB"):
        dy.measure(path, memory="10MB")
    with pytest.raises(dy.InputError, match="longer than 4 MB"):
        dy.compare(path, path, "jensen_shannon", memory="10MB")
    with pytest.raises(dy.InputError, match="longer than 4 MB"):
        dy.measure(path, memory="10MB", format="file")


@pytest.mark.slow
def test_an_array_is_read_in_pieces(command, save):
    # 1,000,000 items, each parsed after the other; the file is several times as long as the limit of an item.
    path = save("rows.json", "[" + ",\n".join(['{"text": "a b"}'] * 1_000_000) + "]")
    assert parts(command("measure", path, *LIMITED, *DISTINCT)) == [(1_000_000, 2, 2_000_000)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
@pytest.mark.parametrize("kind", ["zeros", "line", "string"])
def test_a_bomb_takes_little_memory(save, tmp_path, kind):
    # 1 GB that is compressed to 1 or 5 MB.
    begin, piece, end = {
        "zeros": (b"", bytes(1 << 20), b""),
        "line": (b"", b"a" * (1 << 20), b""),
        "string": (b'{"text": "', b"a" * (1 << 20), b'"}'),
    }[kind]
    path = tmp_path / f"bomb.{'jsonl' if kind == 'string' else 'txt'}.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(begin)
        for _ in range(1_000):
            file.write(piece)
        file.write(end)
    script = (
        "import resource, subprocess, sys;"
        "words = [sys.executable, '-m', 'distinctly', 'measure', sys.argv[1], '--memory', '500MB'];"
        "done = subprocess.run(words);"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    status, kilobytes = map(int, done.stdout.split())
    assert status == 2
    assert "line 1: the text is longer than 16 MB, the limit for 500 MB of memory" in done.stderr
    assert kilobytes < 300_000


def test_human_scores_can_be_in_a_sheet_or_between_any_delimiters(command, save):
    rows = [["score", "mine"], *([place % 5, place / 2] for place in range(12))]
    by_cells = "".join("#".join(map(str, row)) + "\n" for row in rows)
    asked = ("--human", "score", "--column", "mine", "--format", "findings")
    sheet = command("judge", "people", save("a.xlsx", workbook(rows)), *asked, "--sheet", "Answers")
    cells = command("judge", "people", save("a.csv", by_cells), *asked, "--delimiter", "#")
    assert (sheet.returncode, cells.returncode) == (0, 0), sheet.stderr + cells.stderr
    assert sheet.stdout == cells.stdout
    assert "mine" in sheet.stdout


def test_the_error_of_a_damaged_workbook_is_short(command, save):
    # The length of the name of the first file, at byte 26, becomes 0x2f2f: zipfile quotes so many bytes.
    content = bytearray(workbook([["text"], *([f"text {place}"] for place in range(2_000))]))
    content[26:28] = b"\x2f\x2f"
    error = refusal(command("measure", save("rows.xlsx", bytes(content))))
    assert "cannot be read as xlsx" in error
    assert len(error) < 500
