"""What was made with a credential ends with it, or is kept if that is wanted; and what was read with all of that."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import families, secrets
from service.access.file import SqliteStore
from service.access.scopes import OF_A_SEAT, PLAYER
from service.access.store import Credential, EndedError, Link
from tests.service.access.test_apps import code_of, decide, take
from tests.service.access.test_apps import let_in as let_app_in
from tests.service.conftest import Guest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

HOOK = {"url": "https://scores.example/kifu"}
SCOPES = ["games:read", "games:record", "games:share", "hidden:read", "tokens:write", "webhooks:write"]


def token(api: Api, **more: Any) -> Guest:
    made = api.post("/v1/tokens", {"name": "x", "scopes": SCOPES} | more).get_json()
    return Guest(api.app, made["info"]["id"], made["token"])


def logged_in(api: Api, **sent: Any) -> Client:
    browser = Client(api.app)
    assert browser.post("/login", data=sent).status_code == 303
    return browser


def opens(asker: Any) -> bool:
    return bool(asker.get("/v1/token").status_code == 200)


def today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


class Offspring:
    """All that can be made with a token, and with what was made with it."""

    def __init__(self, api: Api, maker: Guest) -> None:
        self.made_on = today()
        self.api, self.game = api, api.play()
        self.child = token(maker)
        self.grandchild = token(self.child)
        self.browser = logged_in(api, token=maker.token)
        by_link = maker.post("/v1/login-links").get_json()["path"].partition("code=")[2]
        self.other_browser = logged_in(api, code=by_link)
        self.of_browser = Guest(
            api.app, "", self.browser.post("/v1/tokens", json={"name": "x", "scopes": SCOPES}).get_json()["token"]
        )
        made = self.grandchild.post(f"/v1/games/{self.game}/links", {"seat": "record"}).get_json()
        self.link = made["path"]
        self.hook = self.browser.post("/v1/webhooks", json=HOOK).get_json()["info"]["id"]
        self.guest = Client(api.app)
        invited = maker.post(f"/v1/games/{self.game}/invitations", {"seat": 0}).get_json()["info"]["code"]
        assert self.guest.post("/join", data={"code": invited}).status_code == 303

    @property
    def credentials(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("child", "grandchild", "browser", "other_browser", "of_browser")}

    @property
    def open(self) -> set[str]:
        found = {name for name, asker in self.credentials.items() if opens(asker)}
        found |= {"guest"} if opens(self.guest) else set()
        found |= {"link"} if self.api.client.get(self.link).status_code == 200 else set()
        hook = self.api.get(f"/v1/webhooks/{self.hook}").get_json()
        return found | ({"webhook"} if hook["enabled"] else set())


ALL = {"child", "grandchild", "browser", "other_browser", "of_browser", "guest", "link", "webhook"}


@pytest.fixture
def maker(api: Api) -> Guest:
    return token(api, scopes=[*SCOPES, "analyses:run", "exports:read"])


@pytest.fixture
def offspring(api: Api, maker: Guest) -> Offspring:
    made = Offspring(api, maker)
    assert made.open == ALL
    return made


@pytest.mark.parametrize("itself", [False, True])
def test_what_a_revoked_token_made_ends_with_it(api: Api, maker: Guest, offspring: Offspring, itself: bool) -> None:
    bystander = token(api)
    asker, path = (maker, "/v1/token") if itself else (api, f"/v1/tokens/{maker.person}")
    assert asker.request("DELETE", path).status_code == 204
    assert not opens(maker)
    assert offspring.open == set()
    assert opens(bystander)
    steps = [step["what"] for step in api.get("/v1/trail?order=newest&limit=9").get_json()["steps"]]
    assert steps.count("credential.ended") == 7
    assert {"link.ended", "webhook.changed"} <= set(steps)


@pytest.mark.parametrize("path", ["/v1/token", "/v1/tokens/{}"])
def test_what_a_revoked_token_made_is_kept_if_that_is_wanted(
    api: Api, maker: Guest, offspring: Offspring, path: str
) -> None:
    asker = maker if path == "/v1/token" else api
    assert asker.request("DELETE", f"{path.format(maker.person)}?made=keep").status_code == 204
    assert not opens(maker)
    assert offspring.open == ALL
    assert api.request("DELETE", f"/v1/tokens/{offspring.child.person}?made=x").status_code == 400


def test_a_child_that_is_revoked_takes_nobody_else_with_it(api: Api, maker: Guest, offspring: Offspring) -> None:
    assert api.request("DELETE", f"/v1/tokens/{offspring.child.person}").status_code == 204
    assert offspring.open == ALL - {"child", "grandchild", "link"}
    assert opens(maker)


@pytest.mark.slow
def test_who_logs_out_ends_nothing_else(api: Api, offspring: Offspring) -> None:
    assert offspring.browser.post("/logout").status_code == 303
    assert offspring.open == ALL - {"browser"}


@pytest.mark.parametrize(("made", "kept"), [("", True), ("?made=end", False)])
def test_who_logs_out_everywhere_ends_what_the_browsers_made_if_that_is_wanted(
    api: Api, offspring: Offspring, made: str, kept: bool
) -> None:
    assert offspring.other_browser.delete(f"/v1/sessions{made}").status_code == 204
    left = ALL - {"browser", "other_browser"}
    assert offspring.open == (left if kept else left - {"of_browser", "webhook"})


def test_what_was_made_before_a_token_was_rotated_ends_with_the_new_one(
    api: Api, maker: Guest, offspring: Offspring
) -> None:
    new = maker.post("/v1/token/rotation").get_json()
    later = token(Guest(api.app, "", new["token"]))
    assert offspring.open == ALL
    assert api.request("DELETE", f"/v1/tokens/{new['info']['id']}").status_code == 204
    assert offspring.open == set()
    assert not opens(later)
    assert not opens(maker), "the old one worked for five minutes yet"


def test_a_token_that_others_saw_is_rotated_without_what_was_made_with_it(
    api: Api, maker: Guest, offspring: Offspring
) -> None:
    new = maker.post("/v1/token/rotation?made=end").get_json()["token"]
    assert offspring.open == set()
    assert not opens(maker)
    assert opens(Guest(api.app, "", new))


def test_the_owners_token_is_rotated_with_what_was_made_with_it_or_without(api: Api) -> None:
    first = token(api)
    api.token = api.post("/v1/token/rotation").get_json()["token"]
    second = token(api)
    assert opens(first)
    api.token = api.post("/v1/token/rotation?made=end").get_json()["token"]
    assert (opens(api), opens(first), opens(second)) == (True, False, False)


def test_an_app_and_what_it_made_end_with_the_browser_that_let_it_in(api: Api) -> None:
    code = code_of(decide(client := logged_in(api, token=api.token), scope=" ".join(SCOPES)))
    app = Guest(api.app, "", take(api, code).get_json()["access_token"])
    made = token(app)
    session = client.get("/v1/token").get_json()["token"]["id"]
    assert api.request("DELETE", f"/v1/tokens/{session}").status_code == 204
    assert (opens(app), opens(made)) == (False, False)


def test_a_code_that_comes_twice_ends_what_its_token_made(api: Api) -> None:
    code = code_of(decide(logged_in(api, token=api.token), scope=" ".join(SCOPES)))
    app = Guest(api.app, "", take(api, code).get_json()["access_token"])
    made, other = token(app), let_app_in(api)
    assert take(api, code).status_code == 400
    assert (opens(app), opens(made), opens(other)) == (False, False, True)


def test_what_was_made_and_read_with_a_token_is_shown(api: Api, maker: Guest, offspring: Offspring) -> None:
    titled, unseen = api.open(title="Sunday"), api.play()
    offspring.grandchild.get(f"/v1/games/{titled}/state")
    maker.get("/v1/feed")
    api.get(f"/v1/games/{unseen}")
    family = api.get(f"/v1/tokens/{maker.person}/family").get_json()
    assert [each["kind"] for each in family["tokens"]] == ["app", "app", "ses", "ses", "app", "ses"]
    assert [len(family[name]) for name in ("links", "webhooks")] == [1, 1]
    reads = {(each["game"], each["title"], each["token"]) for each in family["reads"]}
    assert {(titled, "Sunday", offspring.grandchild.person), (None, None, maker.person)} <= reads
    assert {game for game, _, _ in reads} == {titled, None, offspring.game}
    assert {each[on] for each in family["reads"] for on in ("first_on", "last_on")} <= {offspring.made_on, today()}
    assert api.let_in("recorder").get(f"/v1/tokens/{maker.person}/family").status_code == 404


def test_what_a_family_that_was_kept_reads_since_is_shown(api: Api, maker: Guest) -> None:
    child, game = token(maker), api.play()
    path = f"/v1/tokens/{maker.person}"
    assert api.request("DELETE", f"{path}?made=keep").status_code == 204
    child.get(f"/v1/games/{game}/score")
    family = api.get(f"{path}/family").get_json()
    assert [each["id"] for each in family["tokens"]] == [child.person]
    assert [(each["game"], each["token"]) for each in family["reads"]] == [(game, child.person)]
    assert api.request("DELETE", f"{path}?made=keep").status_code == 404
    assert api.request("DELETE", path).status_code == 204, "it is ended after all"
    assert not opens(child)
    assert api.request("DELETE", path).status_code == 404


def test_what_was_read_outlives_a_rotation_and_is_erased_with_the_name(api: Api) -> None:
    person, game = str(uuid7()), api.play()
    api.request("PUT", f"/v1/players/{person}", json={"name": "Aiko"})
    phone = api.let_in("recorder", person=person)
    phone.get(f"/v1/games/{game}")
    new = phone.post("/v1/token/rotation").get_json()
    shown = api.get(f"/v1/tokens/{new['info']['id']}/family").get_json()["reads"]
    assert [each["game"] for each in shown] == [game]
    assert api.request("DELETE", f"/v1/players/{person}").status_code == 204
    assert api.access.reads([each["token"] for each in shown]) == []


def test_nothing_is_made_with_what_has_just_ended(tmp_path: Path) -> None:
    """As by a request that came in the moment of the revocation: it would live on."""
    with closing(SqliteStore(tmp_path)) as store:
        maker = Credential(id="m", kind="app", person="p", begun=1, maker="p")
        child = Credential(id="c", kind="app", person="p", begun=1, maker="p")
        store.add(maker, b"m", by="p")
        store.end(["m"], by="p", why="revoked")
        link = Link(id="l", game="g", viewpoint="public", begun=1, maker="p", ends=2**50)
        with pytest.raises(EndedError):
            store.add(child, b"c", by="p", using="m")
        with pytest.raises(EndedError):
            store.replace("m", child, b"c", by="p", until=2**50)
        with pytest.raises(EndedError):
            store.add_link(link, b"l", by="p", using="m")
        assert store.credential("c") is None
        assert store.links() == []


# What an older release made


def test_a_browser_of_an_older_release_ends_with_the_token_that_it_came_by(api: Api, maker: Guest) -> None:
    secret = secrets.make("ses")
    session = Credential(id=str(uuid7()), kind="ses", person=api.access.owner, begun=1, maker=maker.person, ends=2**50)
    api.access.add(session, secrets.digest(secret), by=api.access.owner)
    assert [each.id for each in families.family(api.access, maker.person).credentials] == [session.id]


def test_a_browser_that_an_older_release_let_into_a_seat_sees_from_there(api: Api) -> None:
    """And one that came by a token with the same scopes does not, as the token does not."""
    game, person = api.play("-", "+?gola", "-"), str(uuid7())
    api.request("PUT", f"/v1/games/{game}/roles/{person}", json={"role": "viewer", "seats": [1]})
    scopes = PLAYER - OF_A_SEAT
    by_token = api.let_in(person=person, scopes=sorted(scopes), games={})
    found = api.access.find(secrets.digest(str(by_token.token)))
    own = api.access.credentials([api.access.owner], "own")[0]
    for maker, sees in ((own, True), (found, False)):
        assert maker is not None
        secret = secrets.make("ses")
        session = Credential(
            id=str(uuid7()),
            kind="ses",
            person=person,
            scopes=scopes,
            games=frozenset({game}),
            begun=time.time_ns() // 1_000_000,
            maker=maker.id,
            ends=2**50,
        )
        api.access.add(session, secrets.digest(secret), by=person)
        browser = Client(api.app)
        browser.set_cookie("kifu_session", secret)
        state = browser.get(f"/v1/games/{game}/state").get_json()
        assert (state["viewpoint"], "GOLA" in str(state["state"]["hands"])) == (
            ("seat-1", True) if sees else ("public", False)
        )


def test_a_store_of_an_older_release_goes_on(tmp_path: Path) -> None:
    credential = Credential(id="c", kind="app", person="p", begun=1, maker="p")
    with closing(SqliteStore(tmp_path)) as store:
        store.add(credential, b"c", by="p")
    with closing(sqlite3.connect(tmp_path / "access.db")) as old:
        old.execute("alter table credential drop column reads")
        old.execute(
            "delete from _sqlite_migrations where migration_set = 'kifu.access' and name like '%what was read%'"
        )
        old.execute("pragma user_version = 3")
        old.commit()
    with closing(SqliteStore(tmp_path)) as store:
        assert store.credential("c") == credential
        assert store.reads(["c"]) == []
