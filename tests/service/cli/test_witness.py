"""`kifu witness` against running services."""

from __future__ import annotations

import json

import pytest

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
    assert "cannot be believed" in output


def test_a_witness_without_the_token_or_without_a_service_says_so(kifu, address, tmp_path):
    kifu.open()
    assert "no answer from" in kifu.fails("witness", "http://127.0.0.1:9", "--keep", tmp_path / "memory")
    url = address()
    output = kifu.fails("witness", url, "--keep", tmp_path / "memory", "--token", "wrong-token-that-is-long")
    assert "Invalid token" in output
    (tmp_path / "memory" / "witness.key").write_text("hello")
    assert "cannot be used" in kifu.fails("witness", url, "--keep", tmp_path / "memory")


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
