"""Downloads of games: they say how long they are, and one that broke off goes on with the same bytes."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests.service.conftest import DEAL
from tests.service.document import specification
from tests.service.recording.test_erasing import erase

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

FORMS = ("ndjson", "text", "html", "report")


@pytest.mark.parametrize("form", FORMS)
def test_a_download_that_broke_off_goes_on_with_the_same_bytes(api: Api, form: str) -> None:
    path = f"/v1/games/{api.play('b-d', '-')}/export?format={form}"
    whole = api.get(path)
    assert whole.headers["Accept-Ranges"] == "bytes"
    for cut in (1, 100, len(whole.data) - 1):
        again = {"Range": f"bytes={cut}-", "If-Range": whole.headers["ETag"]}
        rest = api.get(path, headers=again)
        assert rest.status_code == 206
        assert rest.headers["Content-Range"] == f"bytes {cut}-{len(whole.data) - 1}/{len(whole.data)}"
        assert rest.headers["ETag"] == whole.headers["ETag"]
        assert whole.data[:cut] + rest.data == whole.data


def test_every_answer_about_a_part_is_described(api: Api) -> None:
    game = api.play("b-d")
    described = specification()["paths"]["/v1/games/{game}/export"]["get"]
    headers = {each["name"] for each in map(resolved, described["parameters"]) if each["in"] == "header"}
    tag = api.get(f"/v1/games/{game}/export").headers["ETag"]
    for status, sent in ((200, {}), (206, {"Range": "bytes=5-", "If-Range": tag}), (304, {"If-None-Match": tag})):
        answer = api.get(f"/v1/games/{game}/export", headers=sent)
        assert answer.status_code == status
        assert str(status) in described["responses"]
        assert set(sent) <= headers
        if answer.data:
            assert answer.mimetype in resolved(described["responses"][str(status)])["content"]


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """A part of the document, or the one that it refers to."""
    found: Any = specification()
    for word in part.get("$ref", "").split("/")[1:]:
        found = found[word]
    return found if "$ref" in part else part


def test_a_record_goes_on_with_the_same_bytes_though_the_game_went_on(api: Api) -> None:
    game = api.play("b-d")
    path = f"/v1/games/{game}/export"
    whole = api.get(path)
    assert api.record(game, "-").status_code == 201
    rest = api.get(path, headers={"Range": "bytes=50-", "If-Range": whole.headers["ETag"]})
    assert (rest.status_code, whole.data[:50] + rest.data) == (206, whole.data)
    assert len(api.get(path).data) > len(whole.data), "without a range it is the game as it stands"


def test_what_cannot_be_made_again_comes_whole(api: Api) -> None:
    game = api.play("b-d")
    path = f"/v1/games/{game}/export?format=text"
    tag = api.get(path).headers["ETag"]
    assert api.record(game, "-").status_code == 201
    for known in (tag, '"v1-1-00000000000000000000000000000000"', '"v99999-1-00000000000000000000000000000000"', "x"):
        answer = api.get(path, headers={"Range": "bytes=5-", "If-Range": known})
        assert answer.status_code == 200
        assert answer.data == api.get(path).data


FORGED = ("v1-9999999999999999", "v1-253402300800000", "v0-1", "v0001-1", "v1-0", "v9999999999999999-0")
"""Versions and times of tags that no file has: after the year 9999, in the future, of no version."""


@pytest.mark.parametrize("form", FORMS)
def test_a_tag_that_no_file_has_is_answered_with_the_file(api: Api, form: str) -> None:
    path = f"/v1/games/{api.play('b-d')}/export?format={form}"
    size = len(api.get(path).data)
    for each in FORGED:
        tag = f'"{each}-{"0" * 32}"'
        for headers in ({"If-None-Match": tag}, {"Range": "bytes=5-", "If-Range": tag}):
            answer = api.get(path, headers=headers)
            assert (answer.status_code, len(answer.data)) == (200, size), (headers, answer.text)


def test_a_weak_tag_does_not_vouch_for_a_part(api: Api) -> None:
    path = f"/v1/games/{api.play('b-d')}/export?format=text"
    weak = f"W/{api.get(path).headers['ETag']}"
    assert api.get(path, headers={"Range": "bytes=5-", "If-Range": weak}).status_code == 200
    assert api.get(path, headers={"If-None-Match": weak}).status_code == 304


def test_what_was_erased_meanwhile_is_in_no_part(api: Api) -> None:
    game = api.open()
    note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "Secret of Anna"}}
    assert api.post(f"/v1/games/{game}/events", {"events": [note]}).status_code == 201
    path = f"/v1/games/{game}/export"
    whole = api.get(path)
    assert b"Secret of Anna" in whole.data
    assert erase(api, game, 2).status_code == 200
    rest = api.get(path, headers={"Range": "bytes=5-", "If-Range": whole.headers["ETag"]})
    assert rest.status_code == 200
    assert b"Secret of Anna" not in rest.data


@pytest.mark.parametrize("form", FORMS)
def test_a_head_tells_the_size(api: Api, form: str) -> None:
    path = f"/v1/games/{api.play('b-d')}/export?format={form}"
    head = api.request("HEAD", path, headers={"Range": "bytes=5-"})
    assert (head.status_code, head.data) == (200, b"")
    assert int(head.headers["Content-Length"]) == len(api.get(path).data)


def test_who_has_a_download_is_told_so(api: Api) -> None:
    path = f"/v1/games/{api.play('b-d')}/export"
    tag = api.get(path).headers["ETag"]
    answer = api.get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.data) == (304, b"")


@pytest.mark.parametrize(
    "sent", ["bytes=0-1,5-6", "bytes=", "lines=1-2", "bytes=b-", "", "bytes=9-2", "bytes=9999999-"]
)
def test_what_is_no_part_of_a_file_is_answered_with_all_of_it(api: Api, sent: str) -> None:
    path = f"/v1/games/{api.play('b-d')}/export"
    answer = api.get(path, headers={"Range": sent})
    assert answer.status_code == 200
    assert len(answer.data) == len(api.get(path).data)


def test_the_last_bytes_can_be_asked_for(api: Api) -> None:
    path = f"/v1/games/{api.play('b-d')}/export?format=text"
    answer = api.get(path, headers={"Range": "bytes=-7"})
    assert (answer.status_code, answer.data) == (206, api.get(path).data[-7:])


@pytest.mark.slow
def test_a_long_record_takes_no_memory_of_its_own(api: Api) -> None:
    game = api.open()
    api.record(game, DEAL)
    text = "x" * 1500
    for _ in range(6):
        notes = [{"id": str(uuid7()), "type": "note.added", "data": {"text": text}} for _ in range(500)]
        assert api.post(f"/v1/games/{game}/events", {"events": notes}).status_code == 201
    path = f"/v1/games/{game}/export"
    length = int(api.request("HEAD", path).headers["Content-Length"])
    api.catch_up()  # the read models take memory, too
    tracemalloc.start()
    api.request("HEAD", path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length > 6_000_000
    assert peak < length / 2
