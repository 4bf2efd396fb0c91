"""Several hosts on one database: real processes with data folders of their own, on one PostgreSQL and one Valkey."""

from __future__ import annotations

import shutil
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict
from uuid_utils import uuid7

from events.postgres import PostgresReader, verify
from service.cli.commands import kifu
from tests import postgres as server
from tests.plain_http import PLAIN
from tests.service.conftest import DEAL
from tests.service.fleet import SERVICE, fleet
from tests.service.receiver import Receiver
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.service.fleet import Host

GRANT = "urn:ietf:params:oauth:grant-type:device_code"

start = pytest.fixture(fleet)


@pytest.mark.empty_database
def test_hosts_are_one_service(start: Callable[..., list[Host]], database: str) -> None:
    """What is recorded, said or let in on one holds on the other; one is killed, and the other goes on."""
    one, two = start(hosts=2)
    assert one.http.headers["Authorization"] != two.http.headers["Authorization"], "each has an owner's token"
    names = [host.http.get("/v1/health").json()["host"] for host in (one, two)]
    assert names[0] != names[1]
    for host, name in zip((one, two), names, strict=True):
        assert f'kifu_host_info{{host="{name}"}} 1.0' in host.http.get("/metrics").text
        assert "kifu_lists_lag_events" in host.http.get("/metrics").text
    game = one.open()
    assert one.record(game, DEAL).status_code == 201
    assert two.record(game, "black: a-h").status_code == 201
    assert one.state(game) == two.state(game)
    assert until(lambda: [row["game"] for row in two.http.get("/v1/games").json()["games"]]) == [game]

    address = str(two.http.base_url.join(f"/v1/games/{game}/state"))
    assert httpx.get(address, verify=PLAIN).status_code == 404
    one.http.put(f"/v1/games/{game}/visibility", json={"visibility": "public"}).raise_for_status()
    until(lambda: httpx.get(address, verify=PLAIN).status_code == 200)

    made = one.http.post("/v1/tokens", json={"name": "phone", "role": "recorder"}).json()
    token = {"Authorization": f"Bearer {made['token']}"}
    assert two.http.get("/v1/token", headers=token).status_code == 200
    assert one.http.get("/v1/token", headers=token).status_code == 200
    two.http.delete(f"/v1/tokens/{made['info']['id']}").raise_for_status()
    assert two.http.get("/v1/token", headers=token).status_code == 401
    until(lambda: one.http.get("/v1/token", headers=token).status_code == 401)

    one.kill()
    last = two.note(game, "the other one is gone")
    assert last.status_code == 201, last.text
    (again,) = start(one.folder)
    assert again.http.headers["Authorization"] == one.http.headers["Authorization"]
    for host in (again, two):
        assert host.state(game)["version"] == 4
    assert verify(database).sound


def test_hosts_share_lists_tokens_and_codes_and_one_that_lost_its_folder_is_let_in(
    start: Callable[..., list[Host]],
) -> None:
    one, two = start(hosts=2, KIFU_TEST_LOOK="1000")
    shows_what_another_one_stored_before_anybody_can_look_away(one, two)
    rotates_its_owners_token_itself_and_leaves_those_of_others(one, two)
    answers_what_somebody_asked_of_one_that_is_killed(one, two)
    is_let_in_without_its_folder_with_a_token_of_its_own(start, one, two)


def shows_what_another_one_stored_before_anybody_can_look_away(one: Host, two: Host) -> None:
    """How soon is measured elsewhere (`benchmarks`); here only that a list does not wait until it looks by itself."""
    for _ in range(5):
        game = one.open()
        assert two.http.get(f"/v1/games/{game}").status_code == 200
        until(lambda game=game: game in two.http.get("/v1/games").text)


def rotates_its_owners_token_itself_and_leaves_those_of_others(one: Host, two: Host) -> None:
    token = one.http.headers["Authorization"]
    refused = two.http.post("/v1/token/rotation", headers={"Authorization": token})
    assert refused.status_code == 400
    assert "rotate it there" in refused.json()["detail"]
    rotated = one.http.post("/v1/token/rotation").raise_for_status().json()["token"]
    until(lambda: two.http.get("/v1/token", headers={"Authorization": token}).status_code == 401)
    assert two.http.get("/v1/token", headers={"Authorization": f"Bearer {rotated}"}).status_code == 200
    assert two.http.get("/v1/token").status_code == 200
    one.http.headers["Authorization"] = f"Bearer {rotated}"


def answers_what_somebody_asked_of_one_that_is_killed(one: Host, two: Host) -> None:
    """Short codes and devices that wait, which are on no disk."""
    bases = [str(host.http.base_url) for host in (one, two)]
    form = {"client_id": "The scoreboard", "scope": "games:read"}
    asked = httpx.post(f"{bases[0]}/v1/oauth/device_authorization", data=form, verify=PLAIN).raise_for_status().json()
    form = {"grant_type": GRANT, "device_code": asked["device_code"], "client_id": "The scoreboard"}
    assert httpx.post(f"{bases[1]}/v1/oauth/token", data=form, verify=PLAIN).json()["error"] == "authorization_pending"
    person = str(uuid7())
    one.http.put(f"/v1/roles/{person}", json={"role": "viewer"}).raise_for_status()
    invited = one.http.post("/v1/invitations", json={"player": person}).raise_for_status().json()

    one.kill()
    token = two.http.headers["Authorization"].removeprefix("Bearer ")
    with httpx.Client(base_url=bases[1], headers={"Origin": bases[1].rstrip("/")}, verify=PLAIN) as browser:
        browser.post("/login", data={"token": token})
        approved = browser.post("/device", data={"user_code": asked["user_code"], "decision": "approve"})
        assert approved.status_code == 200, approved.text
    answers = [httpx.post(f"{bases[1]}/v1/oauth/token", data=form, verify=PLAIN) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 400], "once"
    with httpx.Client(base_url=bases[1], headers={"Origin": bases[1].rstrip("/")}, verify=PLAIN) as phone:
        phone.post("/join", data={"code": invited["info"]["code"]})
        assert phone.get("/v1/token").raise_for_status().json()["token"]["person"] == person


def is_let_in_without_its_folder_with_a_token_of_its_own(
    start: Callable[..., list[Host]], one: Host, two: Host
) -> None:
    """Nothing of it is needed: all that is the hosts' own lies in the database."""
    game = two.open()
    shutil.rmtree(one.folder)
    one.folder.mkdir()
    (again,) = start(one.folder)
    assert again.state(game)["version"] == 1
    assert again.http.headers["Authorization"] != one.http.headers["Authorization"]


def test_a_new_host_goes_on_from_a_copy_of_anothers_lists(
    start: Callable[..., list[Host]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With what was recorded, erased and shown since the copy, and without making anything anew."""
    (one,) = start(hosts=1)
    first, second = one.open(), one.open()
    one.http.put(f"/v1/games/{first}/visibility", json={"visibility": "public"}).raise_for_status()
    assert one.note(first, "to be erased").status_code == 201
    until(lambda: versions(one) == {first: 2, second: 1})
    folder = tmp_path_factory.mktemp("new")
    copied = CliRunner().invoke(kifu, ["copy-lists", str(folder), "--data", str(one.folder)])
    assert copied.exit_code == 0, copied.output
    assert "The tree was copied, too, without its key." in " ".join(copied.stdout.split())
    assert (folder / "tree" / "checkpoint").exists()
    erased = one.http.post(f"/v1/games/{first}/erasures", json={"entry": 2, "what": "text"})
    assert erased.is_success, erased.text
    for game, visibility in ((first, "private"), (second, "public")):
        one.http.put(f"/v1/games/{game}/visibility", json={"visibility": visibility}).raise_for_status()
    third = one.open()
    (two,) = start(folder)
    until(lambda: versions(two) == {first: 3, second: 1, third: 1})
    public = str(two.http.base_url.join("/v1/games"))
    until(lambda: [row["game"] for row in httpx.get(public, verify=PLAIN).json().get("games", ())] == [second])
    assert (folder / "views" / "current").read_text(encoding="ascii") == "000001.db", "it was not made anew"
    until(lambda: tree_of(two) == tree_of(one))
    assert tree_of(two)["stopped"] is None


def tree_of(host: Host) -> dict[str, Any]:
    """What health says of a host's tree."""
    return dict(host.http.get("/v1/health").json()["tree"])


def versions(host: Host) -> dict[str, int]:
    """The games that a host lists, and their versions; none while it makes its lists."""
    return {row["game"]: row["version"] for row in host.http.get("/v1/games").json().get("games", ())}


def test_hosts_count_a_requests_limit_together(start: Callable[..., list[Host]]) -> None:
    one, two = start(hosts=2, KIFU_READS="6")
    made = one.http.post("/v1/tokens", json={"name": "phone", "role": "viewer"}).json()
    token = {"Authorization": f"Bearer {made['token']}"}
    statuses = [host.http.get("/v1/token", headers=token).status_code for host in (one, two) * 10]
    assert statuses.count(200) <= 12, "two windows of six at most, if a minute begins meanwhile"
    assert 429 in statuses


@pytest.fixture
def role(database: str) -> Iterator[str]:
    """A role that owns nothing."""
    name = str(conninfo_to_dict(database)["dbname"])
    role = f"service_{name}"
    server.as_superuser(name, f"create role {role} login")
    yield role
    server.as_superuser(name, f"drop owned by {role}", f"drop role {role}")


def test_a_role_that_was_let_in_can_do_all_that_a_whole_service_does_and_change_no_entry(
    start: Callable[..., list[Host]], database: str, role: str
) -> None:
    """Access, games, lists, work in the background and webhooks."""
    prepared = CliRunner().invoke(kifu, ["prepare-database", role], env={"KIFU_DATABASE_URL": database})
    assert prepared.exit_code == 0, prepared.output
    url = database.replace("kifu@", f"{role}@", 1)
    (host,) = start(hosts=1, words=SERVICE, KIFU_DATABASE_URL=url, KIFU_WEBHOOK_PRIVATE="true")
    with closing(Receiver()) as receiver:
        host.http.post("/v1/webhooks", json={"url": receiver.url}).raise_for_status()
        game, person = host.open(), str(uuid7())
        assert host.record(game, DEAL).status_code == 201
        for path, body in (
            (f"players/{person}", {"name": "Ada"}),
            (f"roles/{person}", {"role": "recorder"}),
            (f"games/{game}/visibility", {"visibility": "public"}),
        ):
            host.http.put(f"/v1/{path}", json=body).raise_for_status()
        made = host.http.post("/v1/tokens", json={"name": "phone", "person": person}).raise_for_status().json()
        assert host.record(game, "black: a-h", made["token"]).status_code == 201
        host.http.delete(f"/v1/tokens/{made['info']['id']}").raise_for_status()
        host.http.post(f"/v1/games/{game}/links", json={}).raise_for_status()
        host.http.delete(f"/v1/players/{person}").raise_for_status()
        asked = host.http.post(f"/v1/games/{game}/analyses", json={"kind": "luck-counts"}).raise_for_status()
        address = asked.headers["Location"]
        until(lambda: host.http.get(address).json()["status"] == "done")
        until(lambda: host.http.get(f"/v1/games/{game}/snapshots").json()["snapshots"])
        until(lambda: {posted.summary()[2] for posted in receiver.arrived} >= {3})
        until(lambda: host.http.get("/v1/games").json()["games"])
    with psycopg.connect(url, autocommit=True) as connection:
        for schema, table in (("kifu", "event"), ("kifu_access", "trail")):
            for statement in (f"delete from {schema}.{table}", f"truncate {schema}.{table}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
        for column in ("data", "hash", "game", "version"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"update kifu.event set {column} = {column}")
    assert verify(database).sound


def test_what_is_erased_on_one_host_is_gone_from_memory_and_folder_of_the_others(
    start: Callable[..., list[Host]],
) -> None:
    """Of one that was away meanwhile, too."""
    one, two, away = start(hosts=3)
    game = str(uuid7())
    one.http.post("/v1/games", json={"id": game, "ruleset": "kahuna", "title": "Quetzal"}).raise_for_status()
    for host in (one, two, away):
        until(lambda host=host: "Quetzal" in host.http.get("/v1/games").text)
        assert "Quetzal" in host.http.get(f"/v1/games/{game}").text
    away.kill()
    one.http.post(f"/v1/games/{game}/erasures", json={"entry": 1, "what": "text"}).raise_for_status()
    (back,) = start(away.folder)
    for host in (one, two, back):
        for address in ("/v1/games", f"/v1/games/{game}", f"/v1/games/{game}/timeline"):
            until(lambda host=host, address=address: "Quetzal" not in host.http.get(address).text)
        until(lambda host=host: not holds(host.folder, b"Quetzal"))


def holds(folder: Path, word: bytes) -> bool:
    """Whether a file in a folder holds a word; some come and go."""
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file() and word in path.read_bytes():
                return True
    return False


@pytest.mark.soak
def test_no_acknowledged_entry_is_lost_doubled_or_skipped_while_hosts_are_killed(
    start: Callable[..., list[Host]], database: str
) -> None:
    """Both record in the same games; one after the other is killed and comes back."""
    hosts = start(hosts=2)
    games = [hosts[0].open() for _ in range(3)]
    acknowledged: list[str] = []
    ends = time.monotonic() + 60
    turn = 0
    while time.monotonic() < ends:
        for number in range(40):
            id_ = str(uuid7())
            body = {"events": [{"id": id_, "type": "note.added", "data": {"text": f"{turn}.{number}"}}]}
            for host in hosts * 5:
                try:
                    answer = host.http.post(f"/v1/games/{games[number % 3]}/events", json=body)
                except httpx.HTTPError:
                    continue
                if answer.status_code == 201:
                    acknowledged.append(id_)
                    break
            if number == 20:
                hosts[turn % 2].kill()
        hosts[turn % 2] = start(hosts[turn % 2].folder)[0]
        turn += 1
    with PostgresReader(database) as reader:
        fed = [event.id for _, event in reader.feed()]
    assert len(fed) == len(set(fed))
    assert set(acknowledged) <= set(fed)
    assert verify(database).sound
