"""The pages of studies: what annotators and the owner see, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.studies.fixtures import small_study

from distinctly.studies.model import Package, StudyPlan
from distinctly.studies.store import StudyStore
from distinctly.web.app import create_app
from distinctly.web.settings import Settings

ADDRESS = "http://127.0.0.1:8765"
METHODS = ("alpha", "beta", "gamma")
HOSTILE = "</textarea></script><script>window.hacked = 1</script>\u202e\x00\x1b[31m"


class Study:
    """A client of a server with one study, and the links of its people."""

    def __init__(self, client: TestClient, store: StudyStore, tokens: dict[str, str]) -> None:
        self.client, self.store, self.tokens = client, store, tokens

    def annotator(self, name: str) -> str:
        return f"/study/{self.tokens[name]}"

    @property
    def owner(self) -> str:
        return f"/owner/{self.tokens['owner']}"

    def save(
        self, name: str, package: object, column: object, score: object, key: object
    ) -> tuple[int, object]:
        body = {"package": package, "column": column, "score": score, "key": key}
        answer = self.client.post(f"{self.annotator(name)}/answers", json=body)
        return answer.status_code, answer.json()


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    store, tokens = small_study(tmp_path)
    settings = Settings(workers=1, studies=(store.path,))
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield Study(client, store, tokens)
    store.close()


def test_an_answer_is_acknowledged_when_it_is_stored(study: Study) -> None:
    assert study.save("ann", 2, 3, 17, "k1") == (200, {"saved": True, "key": "k1"})
    (answer,) = study.store.answers()
    assert (answer.annotator, answer.score, answer.key) == ("ann", 17, "k1")
    shown = study.client.get(f"{study.annotator('ann')}/packages/2").json()
    assert [each["score"] for each in shown["sets"]] == [None, None, 17]
    assert shown["incomplete"] == [1, 2, 3, 4, 5, 6]


def test_a_repeated_request_is_stored_once_and_a_package_becomes_complete(study: Study) -> None:
    for column in (1, 2, 3):
        for _ in range(2):
            assert study.save("ann", 1, column, 10 * column, f"k{column}")[0] == 200
    assert len(study.store.answers()) == 3
    assert study.client.get(f"{study.annotator('ann')}/packages/1").json()["incomplete"] == [2, 3, 4, 5, 6]
    page = study.client.get(study.annotator("ann")).text
    assert 'data-first="2"' in page  # where the annotator continues
    assert 'data-started="true"' in page


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"score": 0}, "from 1 to 50"),
        ({"score": 51}, "from 1 to 50"),
        ({"score": "7"}, "from 1 to 50"),
        ({"score": None}, "from 1 to 50"),
        ({"score": True}, "from 1 to 50"),
        ({"package": 7}, "no set 1 in package 7"),
        ({"package": "1"}, "`package`"),
        ({"column": 4}, "no set 4"),
        ({"column": 1.5}, "`column`"),
        ({"key": ""}, "key"),
        ({"key": "k" * 201}, "key"),
        ({"key": 3}, "`key`"),
        ({"method": "alpha"}, "fields"),
    ],
)
def test_bad_values_are_refused_and_not_stored(
    study: Study, changed: dict[str, object], problem: str
) -> None:
    body = {"package": 1, "column": 1, "score": 5, "key": "k", **changed}
    answer = study.client.post(f"{study.annotator('ann')}/answers", json=body)
    assert answer.status_code == 422
    assert problem in answer.json()["error"]
    assert study.store.answers() == []


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"score": NaN}', "application/json", 422),
        (b"[1]", "application/json", 422),
        (b"package=1", "application/x-www-form-urlencoded", 415),
        (b" " * 200_000, "application/json", 413),
        (b"[" * 100_000, "application/json", 400),
    ],
)
def test_what_is_not_an_answer_is_refused(study: Study, body: bytes, kind: str, status: int) -> None:
    answer = study.client.post(
        f"{study.annotator('ann')}/answers", content=body, headers={"Content-Type": kind}
    )
    assert answer.status_code == status
    assert answer.json()["error"]


def test_a_key_of_another_answer_is_refused(study: Study) -> None:
    assert study.save("ann", 1, 1, 5, "k")[0] == 200
    status, problem = study.save("ann", 1, 1, 6, "k")
    assert status == 422
    assert "key" in str(problem)
    assert study.save("bob", 1, 1, 6, "k")[0] == 200  # keys belong to annotators


def test_posts_of_other_sites_are_refused(study: Study) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        answer = study.client.post(
            f"{study.annotator('ann')}/answers",
            json={"package": 1, "column": 1, "score": 5, "key": "k"},
            headers=headers,
        )
        assert answer.status_code == 403
    assert study.store.answers() == []


def test_annotators_learn_nothing_of_methods(study: Study) -> None:
    everything = [study.client.get(study.annotator("ann"))]
    everything += [study.client.get(f"{study.annotator('ann')}/packages/{place}") for place in range(1, 7)]
    for answer in everything:
        assert answer.status_code == 200
        written = answer.text + str(answer.headers)
        assert not re.search(
            "|".join([*METHODS, "method", "prompt", "small.study", "bob"]), written, re.IGNORECASE
        )
    # The texts are numbered by package and method, so every set of the study is seen once.
    texts = [text for answer in everything[1:] for each in answer.json()["sets"] for text in each["texts"]]
    assert sorted(texts) == sorted(f"text {number} {place}" for number in range(18) for place in range(2))


def test_annotators_see_their_own_scores_only(study: Study) -> None:
    assert study.save("bob", 1, 1, 5, "k")[0] == 200
    assert study.save("bob", 1, 1, 5, "k")[0] == 200
    shown = study.client.get(f"{study.annotator('ann')}/packages/1").json()
    assert [each["score"] for each in shown["sets"]] == [None] * 3


def test_comments_are_saved(study: Study) -> None:
    body = {"package": 2, "text": HOSTILE, "key": "c"}
    assert study.client.post(f"{study.annotator('ann')}/comments", json=body).status_code == 200
    assert study.client.get(f"{study.annotator('ann')}/packages/2").json()["comment"] == HOSTILE
    too_long = {"package": 2, "text": "x" * 10_001, "key": "d"}
    assert study.client.post(f"{study.annotator('ann')}/comments", json=too_long).status_code == 422


@pytest.mark.parametrize(
    "token", ["x", "x" * 32, "x" * 5000, "%00", "..%2f..%2fetc", "\u00e9", "owner", "ann"]
)
@pytest.mark.parametrize("begin", ["/study/", "/owner/"])
def test_unknown_tokens_are_pages_that_do_not_exist(study: Study, begin: str, token: str) -> None:
    answer = study.client.get(begin + token, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    main = answer.text.partition("<main")[2].lower()
    assert "does not exist" in main
    assert not re.search("study|studies|token|annotator|owner|calculator", main)  # no hint
    post = study.client.post(f"{begin}{token}/answers", json={})
    assert post.status_code in (404, 405)


def test_tokens_of_people_are_not_exchangeable(study: Study) -> None:
    ann, owner = study.tokens["ann"], study.tokens["owner"]
    for path in (f"/study/{owner}", f"/owner/{ann}", f"/owner/{ann}/state", f"/owner/{ann}/answers.csv"):
        assert study.client.get(path).status_code == 404
    assert study.client.post(f"/owner/{ann}/correlations", json={}).status_code == 404
    study.store.renew("ann")
    assert study.client.get(f"/study/{ann}").status_code == 404


def test_places_that_do_not_exist(study: Study) -> None:
    for place in ("0", "7", "-1", "99999999999999999999", "x"):
        assert study.client.get(f"{study.annotator('ann')}/packages/{place}").status_code in (404, 422)


def test_headers_keep_links_secret(study: Study) -> None:
    for path in (study.annotator("ann"), study.owner, f"{study.owner}/answers.csv"):
        headers = study.client.get(path).headers
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'nonce-")


def test_the_owner_sees_progress_agreement_and_means(study: Study) -> None:
    # Ann gives 10, 20 and 30 to the methods, Bob 5 more: they agree perfectly.
    score = {"alpha": 10, "beta": 20, "gamma": 30}
    method = {each.set: each.method for each in study.store.sets()}
    for name, more in (("ann", 0), ("bob", 5)):
        columns = study.store.columns_of(name)
        for (place, column), number in columns.items():
            if name == "ann" or place <= 3:
                key = f"{place}-{column}"
                assert study.save(name, place, column, score[method[number]] + more, key)[0] == 200
    again = score[method[study.store.columns_of("ann")[1, 1]]]
    assert study.save("ann", 1, 1, again, "again")[0] == 200
    assert study.client.get(study.owner).status_code == 200
    state = study.client.get(f"{study.owner}/state").json()
    ann, bob = state["annotators"]
    assert (ann["complete"], ann["packages"], ann["scored"], ann["sets"]) == (6, 6, 18, 18)
    assert (bob["complete"], bob["scored"], bob["last_hour"]) == (3, 9, 9)
    assert bob["last"] > "2020"
    assert bob["others"] == pytest.approx(1)
    assert bob["average"] == pytest.approx(1)
    assert (state["answers"], state["changed"], sum(state["hours"])) == (28, 1, 28)
    # Six scores of Ann and three of Bob: (6 * 10 + 3 * 15) / 9, and 10 and 20 more.
    expected = [("alpha", 105 / 9, 9), ("beta", 195 / 9, 9), ("gamma", 285 / 9, 9)]
    assert [
        (each["method"], pytest.approx(each["mean"]), each["scores"]) for each in state["methods"]
    ] == expected


def test_the_state_follows_new_answers(study: Study) -> None:
    assert study.client.get(f"{study.owner}/state").json()["answers"] == 0
    study.save("ann", 1, 1, 5, "k")
    assert study.client.get(f"{study.owner}/state").json()["answers"] == 1


def test_the_owner_downloads_answers(study: Study, tmp_path: Path) -> None:
    study.save("ann", 1, 1, 5, "k1")
    study.save("ann", 1, 1, 6, "k2")
    answer = study.client.get(f"{study.owner}/answers.csv")
    assert "attachment" in answer.headers["content-disposition"]
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["annotator"], row["score"]) == ("ann", "6.0")
    assert row["method"] in METHODS
    document = study.client.get(f"{study.owner}/answers.json").json()
    assert [(each["score"], each["latest"]) for each in document["answers"]] == [(5, False), (6, True)]


@pytest.mark.slow
def test_the_owner_asks_for_correlations(study: Study) -> None:
    methods = {each.set: each.method for each in study.store.sets()}
    for name in ("ann", "bob"):
        for (place, column), number in study.store.columns_of(name).items():
            score = 10 * METHODS.index(methods[number]) + place
            study.save(name, place, column, score + 1, f"{place}-{column}")
    body = {"metrics": ["ttr", "distinct:n=2"], "agreement_with": "others"}
    answer = study.client.post(f"{study.owner}/correlations", json=body)
    assert answer.status_code == 200, answer.text
    text = json.dumps(answer.json())
    assert all(word in text for word in ("distinct:n=2", "alpha", "ann", "ICC2"))
    for spec in ("os:getcwd", "nothing"):
        refused = study.client.post(f"{study.owner}/correlations", json={"metrics": [spec]})
        assert refused.status_code == 422
    refused = study.client.post(f"{study.owner}/correlations", json={"path": "/etc/passwd"})
    assert refused.status_code == 422


def test_correlations_without_answers_say_what_to_do(study: Study) -> None:
    answer = study.client.post(f"{study.owner}/correlations", json={"metrics": ["ttr"]})
    assert answer.status_code == 422
    assert "no answers" in answer.json()["error"]


def test_a_missing_package_is_named_with_its_pip_line(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    from distinctly.studies import reliability
    from distinctly.web.study_jobs import analysis_json

    monkeypatch.setattr(reliability.importlib.util, "find_spec", lambda name: None)
    answer = analysis_json(str(study.store.path), b'{"metrics": ["ttr"]}')
    assert answer.status == 503
    assert 'pip install "distinctly[study]"' in json.loads(answer.body)["error"]


def test_a_title_that_is_not_unicode_is_shown(tmp_path: Path) -> None:
    plan = StudyPlan(
        "a \udcff title \ud800", "Task", "Q?", 1, 5, [Package({"a": ["x"], "b": ["\udcff"]})], ["ann"]
    )
    store, tokens = StudyStore.create(tmp_path / "x.study", plan)
    with TestClient(create_app(Settings(workers=1, studies=(store.path,))), base_url=ADDRESS) as client:
        for path in ("/studies", f"/owner/{tokens['owner']}", f"/study/{tokens['ann']}"):
            assert "a ? title ?" in client.get(path).text
        shown = client.get(f"/study/{tokens['ann']}/packages/1").json()
        assert sorted(each["texts"] for each in shown["sets"]) == [["x"], ["\udcff"]]
    store.close()


def test_studies_are_listed_with_counts_only(study: Study) -> None:
    study.save("ann", 1, 1, 5, "k")
    page = study.client.get("/studies").text
    assert "A title" in page
    for secret in (*study.tokens.values(), *METHODS, "/study/", "/owner/", "ann<", "small.study"):
        assert secret not in page


def test_links_work_without_the_token_of_the_server_and_the_list_does_not(tmp_path: Path) -> None:
    store, tokens = small_study(tmp_path)
    settings = Settings(host="0.0.0.0", token="x" * 20, workers=1, studies=(store.path,))
    with TestClient(create_app(settings), base_url=ADDRESS, follow_redirects=False) as client:
        assert client.get(f"/study/{tokens['ann']}").status_code == 200
        assert client.get(f"/owner/{tokens['owner']}/state").status_code == 200
        body = {"package": 1, "column": 1, "score": 5, "key": "k"}
        assert client.post(f"/study/{tokens['ann']}/answers", json=body).status_code == 200
        assert client.get("/studies").status_code == 401
        assert client.get("/studies", headers={"Authorization": f"Bearer {'x' * 20}"}).status_code == 200
    store.close()


def test_several_studies_have_their_own_people(tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    stores = [small_study(tmp_path), small_study(tmp_path / "second")]
    settings = Settings(workers=1, studies=tuple(store.path for store, _ in stores))
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        for number, (store, tokens) in enumerate(stores):
            body = {"package": 1, "column": 1, "score": 5 + number, "key": "k"}
            assert client.post(f"/study/{tokens['ann']}/answers", json=body).status_code == 200
            assert [answer.score for answer in store.answers()] == [5 + number]
            store.close()


def test_languages_and_hostile_instructions(tmp_path: Path) -> None:
    plan = StudyPlan(
        title=HOSTILE,
        instructions=f"# {HOSTILE}\n\n- **{HOSTILE}**\n\n[x](javascript:alert)",
        question='"><img src=x onerror=alert(1)>',
        low=0,
        high=1,
        packages=[Package({"a": [HOSTILE], "b": ["x" * 1_000_000]})],
        annotators=["ann"],
        example=HOSTILE,
        language="ar",
    )
    store, tokens = StudyStore.create(tmp_path / "x.study", plan)
    settings = Settings(workers=1, studies=(store.path,))
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        page = client.get(f"/study/{tokens['ann']}").text
        assert '<html lang="ar" dir="rtl">' in page
        assert page.count("<script") == 1  # ours, with its nonce
        assert "<img" not in page
        assert "javascript:" not in re.sub(r"\]\(javascript:", "", page)
        assert 'data-step="0.01"' in page
        shown = client.get(f"/study/{tokens['ann']}/packages/1").json()
        assert {len(each["texts"][0]) for each in shown["sets"]} == {len(HOSTILE), 1_000_000}
        owner = client.get(f"/owner/{tokens['owner']}").text
        assert owner.count("<script") == 1
        assert client.get("/studies").text.count("<script") == 0
    store.close()


def test_two_annotators_save_at_once(study: Study) -> None:
    statuses: list[int] = []

    def work(name: str) -> None:
        statuses.extend(
            study.save(name, place, column, place, f"{place}-{column}")[0]
            for place in range(1, 7)
            for column in (1, 2, 3)
        )

    threads = [threading.Thread(target=work, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 36
    assert len(study.store.answers()) == 36


def test_a_full_disk_is_not_acknowledged(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    from distinctly.studies import database

    assert study.save("ann", 1, 1, 5, "k1")[0] == 200
    connect = database.connect

    def connect_to_full_disk(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(database, "connect", connect_to_full_disk)
    # Threads that have a connection keep it, so the connections are closed first.
    study.client.app.state.studies.close()  # type: ignore[attr-defined]
    acknowledged, refused = ["k1"], 0
    for number in range(2000):
        key = f"{number}".rjust(200, "x")
        status, answer = study.save("ann", 1 + number % 6, 1, 5, key)
        if status == 200:
            acknowledged.append(key)
        else:
            assert status == 503
            assert "not saved" in str(answer)
            assert str(study.store.path) not in str(answer)  # annotators need not know files
            refused += 1
        if refused == 3:
            break
    assert refused == 3
    assert [answer.key for answer in study.store.answers()] == acknowledged
    assert study.client.get(f"{study.annotator('ann')}/packages/1").status_code == 200


def test_a_file_that_is_no_study_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "x.study").write_text("nothing")
    with pytest.raises(ValueError, match="distinctly study new"):
        create_app(Settings(studies=(tmp_path / "x.study",)))
