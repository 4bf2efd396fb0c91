"""Commands beside a running service: they talk to it, and never touch what it has open."""

from __future__ import annotations

import json
import os
import signal
import time

import httpx
import pytest

from service.cli.shell.connection import Place, connect
from service.cli.upkeep.greeting import trouble_of_redis
from service.cli.upkeep.samples import put_samples, sample_texts
from service.server import service_lock
from tests.plain_http import PLAIN

pytestmark = pytest.mark.programs

SAMPLES = len(list(sample_texts()))


def test_commands_and_a_service_share_one_record(kifu, serve, tmp_path, whole_game):
    before = kifu.open("--title", "Before")
    service = serve()
    game = kifu.open("--title", "Beside", "--black", "Anna", "--white", "Ben")
    file = tmp_path / "moves.txt"
    file.write_text(whole_game("points"), encoding="utf-8")
    kifu("record", game, file)
    assert "Anna wins (points, kahuna:WIN-1)" in kifu("show", game)
    kifu("note", before, "from the command line")
    kifu("seat", before, "black", "Cleo")
    as_a_stranger = ("--url", service.url, "--data", tmp_path / "nobody")
    assert "Game not found" in kifu.fails("replay", before, *as_a_stranger)
    assert "Everybody may see it" in kifu("share", before, "public")
    assert "is Cleo's seat now" in kifu("replay", before, *as_a_stranger)
    assert "GET /v1/players requires a token" in kifu.fails("players", "list", *as_a_stranger)
    listed = httpx.get(f"{service.url}/v1/games", trust_env=False, verify=PLAIN).json()["games"]
    assert [found["game"] for found in listed] == [before]
    assert "Sound: " in kifu("verify")
    assert "Rebuilt 2 games" in kifu("rebuild")
    kifu("backup", tmp_path / "copy")
    kifu("export", game, tmp_path / "game.ndjson")
    kifu("undo", game)
    there = kifu("show", game, "--json")
    assert service.stop() == 0
    assert service_lock.find(kifu.data) is None
    assert json.loads(kifu("show", game, "--json")) == json.loads(there)
    assert "Sound: " in kifu("verify", tmp_path / "game.ndjson")
    assert "Sound: " in kifu("verify", tmp_path / "copy")


def test_the_service_greets_with_a_login_link_and_samples_and_may_be_killed(kifu, serve):
    service = serve("--samples")
    link = service.greeting.partition("Log in at ")[2].strip()
    assert link.startswith(f"{service.url}/login?code=kifu_log_")
    code = link.partition("?code=")[2]
    answer = httpx.post(f"{service.url}/login", data={"code": code}, trust_env=False, verify=PLAIN)
    assert answer.is_redirect
    assert "kifu_session=" in answer.headers["Set-Cookie"]
    assert kifu("games").count("Sample (invented") == SAMPLES
    assert "open for writing" in kifu.fails("verify", "--accept-loss", "x")
    taken = kifu.program("serve", "--port", "0")
    _, output = taken.communicate()
    assert taken.returncode == 1
    assert "served already" in output
    assert "Traceback" not in output
    os.kill(service.pid, signal.SIGKILL)
    while service_lock.find(kifu.data):
        time.sleep(0.02)
    kifu("note", "last", "the service is gone")
    assert "Sound: " in kifu("verify")


def test_the_greeting_says_that_an_outside_redis_does_not_answer(kifu, redis_url):
    for url, answers in ((redis_url, True), ("redis://127.0.0.1:1/0", False)):
        started = kifu.program("serve", "--port", "0", env={"KIFU_REDIS_URL": url}, start_new_session=True)
        while not started.stdout.readline().startswith("Run commands"):
            assert started.poll() is None
        started.send_signal(signal.SIGINT)
        _, complaints = started.communicate()
        assert ("Redis (KIFU_REDIS_URL) does not answer." in complaints) is not answers


def test_the_greeting_names_a_wrong_password_of_redis(redis_url):
    assert not trouble_of_redis(redis_url)
    wrong = redis_url.replace("://", "://ann:secret@", 1)
    assert trouble_of_redis(wrong).startswith("Redis (KIFU_REDIS_URL) wants another user or password.")


def test_samples_come_into_an_empty_folder_only_and_only_once(kifu):
    def put() -> int:
        with connect(Place(kifu.data, None, None), makes=True) as client:
            put_samples(client)
        return len(json.loads(kifu("games", "--json"))["games"])

    assert put() == put() == SAMPLES
    kifu("undo", "last")
    assert put() == SAMPLES
    kifu.open()
    assert put() == SAMPLES + 1


def test_samples_stay_out_of_a_folder_with_games(kifu):
    kifu.open()
    with connect(Place(kifu.data, None, None)) as client:
        put_samples(client)
    assert len(json.loads(kifu("games", "--json"))["games"]) == 1
