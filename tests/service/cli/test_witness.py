"""`kifu witness` against running services."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from itertools import repeat
from types import SimpleNamespace

import pytest
from werkzeug import Request, Response
from werkzeug.serving import make_server

from service.cli.proof import witness
from service.problems.kinds import KINDS, MEDIA_TYPE
from tests.waiting import PATIENCE


@pytest.fixture
def token(kifu):
    kifu.play()
    return (kifu.data / "owner.token").read_text().strip()


@pytest.mark.slow
def test_a_witness_remembers_and_says_what_it_saw(kifu, address, token, tmp_path):
    kifu("tree", "prove", "last", 6)
    url, memory = address(), tmp_path / "memory"
    watched = ("witness", url, "--keep", memory, "--token", token)
    assert "Seen for the first time: 6 entries" in kifu(*watched)
    assert (memory / "witness.key").stat().st_mode & 0o777 == 0o600
    kifu("tree", "prove", kifu.play(), 6)
    assert "12 entries" in (said := kifu(*watched))
    assert "6 more than before, and nothing else changed" in said
    output = json.loads(kifu(*watched, "--json"))
    assert (output["sound"], output["size"], output["before"]) == (True, 12, 12)
    seen = tmp_path / "seen"
    seen.write_text(output["checkpoint"])
    assert "Sound" in kifu(*watched, "--compare", seen)


def test_a_service_that_began_another_tree_is_not_believed(kifu, address, token, tmp_path):
    kifu("tree", "prove", "last", 6)
    key = kifu("tree", "key").strip()
    kifu("tree", "restart", "--yes")
    url = address()
    output = kifu.fails("witness", url, "--keep", tmp_path / "memory", "--token", token, "--key", key)
    assert "cannot be trusted" in output


def test_a_witness_without_the_token_or_without_a_service_says_so(kifu, address, tmp_path):
    kifu.open()
    assert "no answer from" in kifu.fails("witness", "http://127.0.0.1:9", "--keep", tmp_path / "memory")
    url = address()
    output = kifu.fails("witness", url, "--keep", tmp_path / "memory", "--token", "wrong-token-that-is-long")
    assert "Invalid token" in output
    (tmp_path / "memory" / "witness.key").write_text("hello")
    assert "cannot be used" in kifu.fails("witness", url, "--keep", tmp_path / "memory")


def test_a_witness_that_repeats_outlasts_answers_that_ask_for_patience(kifu, tmp_path, monkeypatch):
    """A database that is away, and too many requests. Any other refusal ends it."""
    clock = SimpleNamespace(sleep=lambda _: None, time=time.time, monotonic=time.monotonic)
    monkeypatch.setattr(witness, "time", clock)
    kinds = [KINDS[name] for name in ("log-unreachable", "quota-exceeded", "scope-needed")]
    with refusing(kinds) as url:
        output = " ".join(kifu.fails("witness", url, "--keep", tmp_path / "memory", "--every", "1").split())
    places = [output.index(said) for said in ("503", kinds[1].title, kinds[2].title)]
    assert places == sorted(places)


def test_a_witness_gives_up_a_service_that_answers_without_an_end(kifu, tmp_path):
    with answering(lambda: Response(repeat(b" "))) as url:
        output = kifu.fails("witness", url, "--keep", tmp_path / "memory", "--within", "0.0001")
    assert "it has not ended after 0.0001 hours" in " ".join(output.split())


@contextmanager
def refusing(kinds):
    """A service that refuses each request in turn with one of the problems."""
    left = iter(kinds)

    def refuse():
        kind = next(left)
        problem = {"type": f"/problems/{kind.name}", "title": kind.title, "status": kind.status}
        return Response(json.dumps(problem), kind.status, content_type=MEDIA_TYPE)

    with answering(refuse) as url:
        yield url


@contextmanager
def answering(answer):
    """A service that gives every request an answer."""
    server = make_server("127.0.0.1", 0, Request.application(lambda _: answer()))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.programs
def test_a_witness_that_looks_every_second_outlasts_a_service_that_is_away(kifu, tmp_path):
    program = kifu.program("witness", "http://127.0.0.1:9", "--keep", tmp_path / "memory", "--every", "1")
    try:
        seen = [program.stderr.readline() for _ in range(4)]
        assert sum("no answer" in line for line in seen) >= 2
        assert program.poll() is None
    finally:
        program.kill()
        program.communicate(timeout=PATIENCE)
