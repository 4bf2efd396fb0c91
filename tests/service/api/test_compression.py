"""Texts are sent as gzip to clients that accept it, and their ETags stay right."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from service.api.compression import COMPRESS_FROM, takes_gzip
from tests.cases import cases

if TYPE_CHECKING:
    from werkzeug.test import Client

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def timeline(api) -> str:
    """The address of a timeline that is long enough to be compressed."""
    api.shows = True
    return f"/v1/games/{api.play('ALOA-BARI', 'ELAI-BARI', 'f-b', '+', 'a-d', '+', '+')}/timeline"


@pytest.mark.parametrize(
    "path", ["{timeline}", "{timeline}/../board.svg", "/rulesets/kahuna", "/v1/rulesets/kahuna", "/v1/openapi.yaml"]
)
@pytest.mark.slow
def test_every_text_is_sent_compressed_to_clients_that_accept_it(api, timeline, path):
    path = path.format(timeline=timeline).replace("/timeline/..", "")
    plain, small = api.get(path), api.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.headers["Content-Length"] == str(len(small.data))
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data) / 2
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_two_representations_have_two_tags_and_either_is_known_again(api, timeline):
    plain, small = api.get(timeline), api.get(timeline, headers=GZIP)
    assert plain.headers["ETag"] != small.headers["ETag"]
    for known in (plain.headers["ETag"], small.headers["ETag"]):
        answer = api.get(timeline, headers=GZIP | {"If-None-Match": known})
        assert answer.status_code == 304
        assert answer.headers["ETag"] == known
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_tag_of_a_compressed_answer_serves_to_write(api, timeline):
    game = timeline.split("/")[3]
    tag = api.get(timeline, headers=GZIP).headers["ETag"]
    assert tag.endswith('-gzip"')
    notes = [{"events": [entry(text)]} for text in ("the cat", "the dog")]
    codes = [api.post(f"/v1/games/{game}/events", note, headers={"If-Match": tag}).status_code for note in notes]
    assert codes == [201, 412]


def entry(text: str) -> dict[str, Any]:
    return {"id": str(uuid7()), "type": "note.added", "data": {"text": text}}


def test_what_fits_into_a_packet_is_sent_as_it_is(api):
    game = api.open()
    answer = api.get(f"/v1/games/{game}", headers=GZIP)
    assert len(answer.data) < COMPRESS_FROM
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["ETag"].startswith('"v1-')
    assert "gzip" not in answer.headers["ETag"]


def test_an_export_streams_as_it_is(api, timeline):
    answer = api.get(timeline.replace("timeline", "export"), headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.data.startswith(b"{")


def test_a_problem_of_some_length_is_compressed_too(api):
    game = api.open()
    events = [{"type": "note.added", "data": {"text": 1}} for _ in range(60)]
    answer = api.post(f"/v1/games/{game}/events", {"events": events}, headers=GZIP)
    body = gzip.decompress(answer.data) if answer.headers.get("Content-Encoding") == "gzip" else answer.data
    assert answer.status_code in {400, 422}
    assert msgspec.json.decode(body)["status"] == answer.status_code


def test_a_head_tells_of_the_answer_and_has_none(api, timeline):
    answer = api.client.head(timeline, headers=GZIP)
    assert answer.data == b""
    assert answer.status_code == 200


@cases(
    ("accepted", "takes"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("GZIP", True),
        ("gzip;q=0", False),
        ("*;q=0", False),
        ("br", False),
        ("identity", False),
        ("", False),
        ("gzip;q=nonsense", False),
        (",;=\xff", False),
    ],
)
def test_who_takes_gzip_says_so(accepted, takes):
    assert takes_gzip(accepted) is takes


def test_a_static_file_is_compressed_once_and_kept_for_ever(client):
    path = re.search(r'src="(/static/[^"]+\.js)"', client.get("/").text)[1]
    first, again = client.get(path, headers=GZIP), client.get(path, headers=GZIP)
    assert first.headers["Content-Encoding"] == "gzip"
    assert first.data == again.data
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get(path, headers=GZIP | {"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(path.replace("games.js", "none.js")).status_code == 404
    assert client.get(path.rsplit("/", 1)[0] + "/../../pages.py").status_code == 404


@pytest.fixture
def client(api) -> Client:
    return api.client
