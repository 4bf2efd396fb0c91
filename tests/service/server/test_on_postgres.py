"""The service with its log in PostgreSQL: the same answers, the same bytes."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from click.testing import CliRunner
from uuid_utils import uuid7
from werkzeug.test import Client

from events.errors import LogError, LogReadOnlyError, LogUnwritableError
from events.ndjson import parse_event
from service.api.problems import as_problem
from service.app import create_app
from service.cli.commands import kifu as command
from service.server.server import create
from service.settings import Settings
from tests import warm
from tests.postgres import ROLE, as_superuser
from tests.proof import prove
from tests.service.conftest import Api
from workers.process import FATAL, TRY_LATER, exit_with_message

if TYPE_CHECKING:
    from click.testing import Result


@contextmanager
def served(folder, database_url="", **more):
    app = create_app(Settings(data=folder, database_url=database_url, **more))
    try:
        yield Api(app)
    finally:
        app.close()


def exported(api: Api, game: str) -> list[bytes]:
    answer = api.get(f"/v1/games/{game}/export")
    assert answer.status_code == 200, answer.text
    return answer.data.splitlines(keepends=True)[1:]


def test_a_database_that_can_only_be_read_at_the_start_is_waited_for(tmp_path, database, monkeypatch, capsys):
    """The process ends so that the supervisor starts it again."""
    readable = f"{database}&options=-c%20default_transaction_read_only%3Don"
    monkeypatch.setenv("KIFU_DATA", str(tmp_path))
    monkeypatch.setenv("KIFU_DATABASE_URL", readable)
    with pytest.raises(SystemExit) as ended:
        create("service.app:create_app")
    assert ended.value.code == TRY_LATER
    assert "cannot execute" in capsys.readouterr().err
    assert as_problem(LogReadOnlyError("no")).kind is as_problem(LogUnwritableError("no")).kind


@pytest.mark.programs
def test_a_worker_that_finds_no_database_at_its_start_cannot_start_yet(tmp_path):
    """It did not fail, and a restart helps. So it is for each process that gives up."""
    there = {"KIFU_DATA": str(tmp_path), "KIFU_DATABASE_URL": f"postgresql:///kifu?host={tmp_path}"}
    ended = warm.run([sys.executable, "-m", "workers.worker"], env=os.environ | there, text=True)
    assert (ended.returncode, "does not answer" in ended.stderr) == (TRY_LATER, True), ended.stderr


@pytest.mark.parametrize(("error", "code"), [(LogReadOnlyError("no"), TRY_LATER), (LogUnwritableError("no"), FATAL)])
def test_only_what_may_pass_is_tried_again_later(error, code):
    with pytest.raises(SystemExit) as ended:
        exit_with_message(error)
    assert ended.value.code == code


def test_a_database_that_can_only_be_read_keeps_no_reader_out(tmp_path, database, monkeypatch):
    """Reads are noted from time to time. One that cannot be noted is answered all the same."""
    monkeypatch.setattr("service.access.gate.READS_INTERVAL", 0)
    with served(tmp_path / "data", database) as api:
        game = api.open()
        name = database.partition("?")[0].rpartition("/")[2]
        as_superuser(name, f"revoke update on all tables in schema kifu_access from {ROLE}")
        for path in (f"/v1/games/{game}/state", f"/v1/games/{game}/events", "/v1/players", "/v1/tokens") * 2:
            assert api.get(path).status_code == 200
        refused = api.post("/v1/tokens", {"name": "phone", "role": "recorder"})
        assert (refused.status_code, refused.get_json()["type"]) == (507, "/problems/storage-unwritable")


@pytest.mark.slow
@pytest.mark.empty_database
def test_a_game_is_recorded_corrected_exported_and_goes_on_after_a_restart(tmp_path, database):
    person = str(uuid7())
    with served(tmp_path / "data", database) as api:
        api.request("PUT", f"/v1/players/{person}", json={"name": "Ada"})
        game = api.open(seats=[{"player": person}, {}], title="Sunday")
        assert api.record(game, "deal black BARI COCO DUDA", "black: a-h").status_code == 201
        moves = [move["notation"] for move in api.get(f"/v1/games/{game}/moves").get_json()["moves"]]
        assert api.record(game, moves[0]).status_code == 201
        withdrawn = {"id": str(uuid7()), "type": "entry.withdrawn", "data": {"entry": 4, "reason": "misread"}}
        answer = api.post(f"/v1/games/{game}/events", {"events": [withdrawn]})
        assert answer.status_code == 201, answer.text
        again = api.post(f"/v1/games/{game}/events", {"events": [withdrawn]})
        assert (again.status_code, again.data) == (answer.status_code, answer.data)
        state, lines = api.get(f"/v1/games/{game}/state").get_json(), exported(api, game)
        prove(lines)
        api.catch_up()
        assert [row["game"] for row in api.get("/v1/games").get_json()["games"]] == [game]
    with served(tmp_path / "data", database) as api:
        assert api.get(f"/v1/games/{game}/state").get_json() == state
        assert api.get("/v1/players?q=ada").get_json()["players"][0]["name"] == "Ada"
        assert api.record(game, moves[0]).status_code == 201
        after = exported(api, game)
        assert after[: len(lines)] == lines
        whole = api.get(f"/v1/games/{game}/export").data
    with served(tmp_path / "sqlite") as other:
        taken = other.request("POST", "/v1/imports", data=whole, content_type="application/x-ndjson")
        assert taken.status_code == 201, taken.text
        assert exported(other, game) == after
        assert parse_event(exported(other, game)[-1]).hash == parse_event(after[-1]).hash
    assert not list((tmp_path / "data").glob("kifu.db*"))


@pytest.mark.slow
def test_a_host_that_lost_its_folder_makes_it_anew_from_the_database(tmp_path, database):
    with served(tmp_path / "one", database) as api:
        game = api.open()
        api.record(game, "deal black BARI COCO DUDA")
        state = api.get(f"/v1/games/{game}/state").get_json()
    with served(tmp_path / "two", database) as api:
        api.catch_up()
        assert [row["game"] for row in api.get("/v1/games").get_json()["games"]] == [game]
        assert api.get(f"/v1/games/{game}/state").get_json() == state


@pytest.mark.slow
def test_two_services_record_in_one_database_and_each_shows_what_the_other_one_did(tmp_path, database):
    with served(tmp_path / "one", database) as one, served(tmp_path / "two", database) as two:
        game = one.open()
        assert one.record(game, "deal black BARI COCO DUDA").status_code == 201
        stale = two.record(game, "black: a-h", headers={"If-Match": '"v1"'})
        assert stale.status_code == 412
        assert two.record(game, "black: a-h").status_code == 201
        assert one.get(f"/v1/games/{game}/state").get_json() == two.get(f"/v1/games/{game}/state").get_json()
        assert exported(one, game) == exported(two, game)
        deadline = time.monotonic() + 30
        while not two.get("/v1/games").get_json()["games"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.slow
def test_hosts_of_a_database_sign_with_one_key(tmp_path, database):
    with served(tmp_path / "one", database) as one, served(tmp_path / "two", database) as two:
        game = one.open()
        assert one.get("/v1/health").get_json()["tree"]["stopped"] is None
        health = two.get("/v1/health").get_json()
        assert (health["status"], health["tree"]["size"]) == ("tree-stopped", 0)
        assert "sign with another key" in health["tree"]["stopped"]
        assert two.record(game, "deal black BARI COCO DUDA").status_code == 201
    restart = {"KIFU_DATA": str(tmp_path / "two"), "KIFU_DATABASE_URL": database}
    assert CliRunner().invoke(command, ["tree", "restart", "--yes"], env=restart).exit_code == 0
    with served(tmp_path / "two", database) as two, served(tmp_path / "one", database) as one:
        assert two.get("/v1/health").get_json()["tree"]["stopped"] is None
        assert "sign with another key" in one.get("/v1/health").get_json()["tree"]["stopped"]


@pytest.mark.slow
@pytest.mark.empty_database
def test_hosts_share_a_key_that_the_first_of_them_makes(tmp_path, database):
    shared = {"tree_key": str(tmp_path / "tree.key")}
    with served(tmp_path / "one", database, **shared) as one, served(tmp_path / "two", database, **shared) as two:
        game = one.open()
        assert two.record(game, "deal black BARI COCO DUDA").status_code == 201
        for host in (one, two):
            host.catch_up()
        assert one.get("/v1/tree/key").data == two.get("/v1/tree/key").data
        signed = [host.get("/v1/tree/checkpoint").data.splitlines()[:3] for host in (one, two)]
        assert signed[0] == signed[1]
    with served(tmp_path / "one", database, **shared) as one:
        assert one.get("/v1/health").get_json()["tree"]["stopped"] is None
    assert (tmp_path / "tree.key").stat().st_mode & 0o777 == 0o600


KEY = {"Idempotency-Key": '"0199d2f3-6a00-7000-8000-00000000000c"'}


def test_a_request_that_comes_to_two_hosts_at_the_same_moment_is_carried_out_once(tmp_path, database, monkeypatch):
    body = {"name": "twice", "role": "viewer"}
    with served(tmp_path / "one", database) as one, served(tmp_path / "two", database) as two:
        headers = KEY | {"Authorization": f"Bearer {one.app.context.owner_token}"}
        begun, go_on, result = threading.Event(), threading.Event(), []
        add = one.access.add

        def slowly(*said, **more):
            begun.set()
            assert go_on.wait(30)
            add(*said, **more)

        monkeypatch.setattr(one.access, "add", slowly)
        ask = lambda host: Client(host.app).post("/v1/tokens", json=body, headers=headers)  # noqa: E731
        first = threading.Thread(target=lambda: result.append(ask(one)))
        first.start()
        assert begun.wait(30)
        refused = ask(two)
        assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/still-running")
        go_on.set()
        first.join()
        assert (result[0].status_code, ask(two).data) == (201, result[0].data)
        assert [each.name for each in two.access.credentials()].count("twice") == 1


@pytest.mark.slow
def test_a_key_is_free_again_after_its_host_has_ended(tmp_path, database):
    """Not as long as it may be at its work; nothing is left of keys that are over."""
    with served(tmp_path / "one", database) as one, served(tmp_path / "two", database) as two:
        ended, other = one.app.context.keys, two.app.context.keys
        holding = ended.try_lock(b"key")
        assert holding.__enter__()
        with other.try_lock(b"key") as first, other.try_lock(b"another") as free:
            assert (first, free) == (False, True)
        name = str(psycopg.conninfo.conninfo_to_dict(database)["dbname"])
        as_superuser(name, "update kifu_work.lease set ends = now() - interval '1 s' where name like 'key/%'")
        with other.try_lock(b"key") as first, ended.try_lock(b"key") as again:
            assert (first, again) == (True, False)
        with psycopg.connect(database) as connection:
            left = connection.execute("select count(*) from kifu_work.lease where name like 'key/%'").fetchone()
        assert left == (0,)


@pytest.mark.slow
def test_how_standbys_are_is_told_to_those_who_may_know_and_counted(tmp_path, database):
    """One that is none, as the primary itself, is not read from; games are answered as ever."""
    with served(tmp_path / "data", database, replica_url=database) as api:
        game = api.open()
        assert api.record(game, "deal black BARI COCO DUDA").status_code == 201
        deadline = time.monotonic() + 30
        while "yet" in (standby := api.get("/v1/health").get_json()["standbys"][0])["why"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "follows no primary" in standby["why"]
        assert (standby["lag"], standby["pages"]) == (None, 0)
        assert standby["name"].startswith("postgresql://")
        text = api.get("/metrics").text
        assert f'kifu_standby_usable{{standby="{standby["name"]}"}} 0.0' in text
        assert f'kifu_standby_pages_total{{standby="{standby["name"]}"}} 0.0' in text
        assert f'kifu_standby_lag_bytes{{standby="{standby["name"]}"}} NaN' in text
        assert api.let_in("viewer").get("/v1/health").get_json()["standbys"] == []
        assert len(exported(api, game)) == 2
    with served(tmp_path / "data", database) as api:
        assert api.get("/v1/health").get_json()["standbys"] == []
        assert "kifu_standby" not in api.get("/metrics").text


def test_a_folder_with_a_log_of_its_own_is_not_passed_over(tmp_path, database):
    with served(tmp_path / "data") as api:
        api.open()
    with pytest.raises(LogError, match="is a log, but KIFU_DATABASE_URL is set"), served(tmp_path / "data", database):
        pass


@pytest.mark.empty_database
def test_the_commands_of_a_folder_are_about_the_log_in_postgresql(tmp_path, database):
    def kifu(*words: object, **environment: str) -> Result:
        settings = {"KIFU_DATA": str(tmp_path / "data"), "KIFU_DATABASE_URL": database} | environment
        return CliRunner().invoke(command, list(map(str, words)), env=settings)

    assert 'role "nobody" does not exist' in kifu("prepare-database", "nobody", "--lanes", 2).stderr
    assert "Prepared" in kifu("prepare-database", ROLE, "--lanes", 4).stdout  # nothing was made for nobody
    assert "made with 4 lanes, not 2" in kifu("prepare-database", ROLE, "--lanes", 2).stderr
    assert kifu("prepare-database", ROLE, "--lanes", 0).exit_code == 2
    assert "no database is named" in kifu("prepare-database", ROLE, KIFU_DATABASE_URL="").stderr
    game = kifu("open", "kahuna").stdout.split()[-1]
    assert kifu("note", game, "well played").exit_code == 0
    assert kifu("verify").stdout == "Sound: 2 entries of 1 game.\n"
    assert "Rebuilt 1 game from 2 entries" in kifu("rebuild").stdout
    assert "Copied and proved 1 record" in kifu("backup", tmp_path / "copy").stdout
    name = str(psycopg.conninfo.conninfo_to_dict(database)["dbname"])
    as_superuser(name, "delete from kifu.event where version = 2")
    assert "truncated" in kifu("verify").stdout
    assert "ends at version 1" in kifu("verify", "--accept-loss", game, "--yes").stdout
    assert kifu("verify", "--json").stdout.startswith('{"sound"')


def test_a_database_that_is_away_is_a_problem_of_the_moment(tmp_path, database, monkeypatch):
    with served(tmp_path / "data", database) as api:
        game = api.open()
        log = api.app.context.archive.log

        def away(*_: object) -> None:
            raise psycopg.OperationalError("the server closed the connection unexpectedly")

        with monkeypatch.context() as patch:
            patch.setattr(type(log._database), "retry_once", away)
            for answer in (api.get(f"/v1/games/{game}/state"), api.record(game, "deal black BARI COCO DUDA")):
                assert answer.status_code == 503, answer.text
                assert answer.get_json()["type"] == "/problems/log-unreachable"
                assert answer.headers["Retry-After"] == "1"
        assert api.record(game, "deal black BARI COCO DUDA").status_code == 201
