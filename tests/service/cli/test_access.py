"""Tokens, roles and sharing on the command line."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3

import httpx
import pytest

from tests.plain_http import PLAIN


@pytest.mark.slow
def test_a_token_is_made_listed_and_revoked(kifu, address):
    game = kifu.open("--title", "Sunday")
    url = address()
    token = kifu("tokens", "make", "Hall", "--role", "viewer", "--game", game).strip()
    as_it = ("--url", url, "--token", token)
    assert "Sunday" in kifu("games", *as_it)
    assert "this token was made without games:record" in kifu.fails("note", game, "x", *as_it)
    listed = json.loads(kifu("tokens", "list", "--json"))["tokens"]
    (made,) = [each for each in listed if each["name"] == "Hall"]
    assert (made["games"], made["scopes"]) == ([game], ["exports:read", "games:read"])
    assert "viewer, in 1 game " in " ".join(kifu("tokens", "list").split())
    assert "Hall no longer works" in kifu("tokens", "revoke", made["id"][-6:])
    assert "was revoked" in kifu.fails("games", *as_it)
    assert "no token has the id" in kifu.fails("tokens", "revoke", "0000000")


@pytest.mark.slow
def test_what_was_made_and_read_with_a_token_is_shown_and_ends_with_it_or_is_kept(kifu, address):
    game = kifu.open("--title", "Sunday")
    url = address()

    def made() -> tuple[str, tuple[str, ...]]:
        token = kifu("tokens", "make", "Desk", "--scope", "tokens:write", "--scope", "games:read").strip()
        as_it = ("--url", url, "--token", token)
        child = kifu("tokens", "make", "Hall", "--scope", "games:read", *as_it).strip()
        httpx.post(f"{url}/login", data={"token": token}, trust_env=False, verify=PLAIN)
        listed = json.loads(kifu("tokens", "list", "--json"))["tokens"]
        id_ = next(each["id"] for each in listed[::-1] if each["name"] == "Desk")
        return id_, ("--url", url, "--token", child)

    id_, as_child = made()
    kifu("show", game, *as_child)
    shown = kifu("tokens", "family", id_)
    assert all(text in shown for text in ("Hall", "browser", "Sunday"))
    family = json.loads(kifu("tokens", "family", id_, "--json"))
    assert [len(family["tokens"]), {each["game"] for each in family["reads"]}] == [2, {game}]
    asked = kifu.fails("tokens", "revoke", id_, stdin="n\n")
    assert "1 × program, 1 × browser" in asked
    assert "Hall opens nothing" not in asked
    kifu("show", game, *as_child)
    assert "Desk no longer works" in kifu("tokens", "revoke", id_, "--keep")
    kifu("show", game, *as_child)
    other, as_other = made()
    assert "Desk no longer works" in kifu("tokens", "revoke", other, "--yes")
    assert "was revoked" in kifu.fails("show", game, *as_other)
    lone = kifu("tokens", "make", "Lone", "--role", "viewer").strip()
    assert "Nothing was made with it" in (result := kifu.run("tokens", "family", _id(kifu, "Lone"))).output, result
    assert "old one has ended" in kifu.run("tokens", "rotate", "--end", "--url", url, "--token", lone).output


def _id(kifu, name: str) -> str:
    """The id of the token that is called this."""
    return next(each["id"] for each in json.loads(kifu("tokens", "list", "--json"))["tokens"] if each["name"] == name)


@pytest.mark.slow
def test_the_owners_token_is_rotated_and_commands_go_on(kifu, address):
    kifu.open()
    before = (kifu.data / "owner.token").read_text()
    for run in ("in the folder", "at a service"):
        url = address() if run == "at a service" else None
        assert "The owner's token was replaced." in kifu("tokens", "rotate")
        after = (kifu.data / "owner.token").read_text()
        assert after != before
        assert "1" in kifu("games", "--json")
        if url:
            assert "was revoked" in kifu.fails("games", "--url", url, "--token", before.strip())
        before = after


@pytest.mark.slow
def test_a_link_logs_a_browser_in_once(kifu, address):
    kifu.open()
    assert "no service is running" in kifu.fails("tokens", "link")
    url = address()
    link = kifu("tokens", "link").strip()
    assert link.startswith(f"{url}/login?code=kifu_log_")
    code = link.partition("=")[2]
    answers = [httpx.post(f"{url}/login", data={"code": code}, trust_env=False, verify=PLAIN) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 401]


@pytest.mark.slow
def test_people_are_let_do_things_and_forbidden_again(kifu):
    game = kifu.open("--black", "Anna", "--white", "Ben")
    assert "Anna is recorder on the service" in kifu("people", "let", "Anna", "recorder")
    assert "Ben is referee and player of seat 2 in this game" in kifu(
        "people", "let", "Ben", "referee", "--game", game, "--seat", "2"
    )
    assert "Anna recorder" in " ".join(kifu("people", "roles").split())
    assert "Ben referee 2" in " ".join(kifu("people", "roles", "--game", game).split())
    kifu("people", "forbid", "Anna")
    assert "This person has no role" in kifu.fails("people", "forbid", "Anna")
    steps = json.loads(kifu("people", "trail", "--json"))["steps"]
    assert [step["what"] for step in steps][-3:] == ["role.given", "role.given", "role.taken"]
    assert "role.taken Anna" in " ".join(kifu("people", "trail").split())
    assert "a seat belongs to a game" in kifu.fails("people", "let", "Ben", "--seat", "1")
    assert "Give a role" in kifu.fails("people", "let", "Ben")


def test_a_game_is_shared_and_asked_for_who_may_see_it(kifu):
    game = kifu.open()
    assert "Only its players and people with a role may see it." in kifu("share", game)
    assert "Anyone with the link" in kifu("share", game, "link")
    assert json.loads(kifu("share", game, "--json"))["visibility"] == "link"


@pytest.mark.slow
def test_a_backup_has_who_may_do_what_and_a_token_of_its_own(kifu, tmp_path):
    game = kifu.open("--title", "Kept", "--black", "Anna")
    token = kifu("tokens", "make", "Hall", "--role", "recorder").strip()
    kifu("people", "let", "Anna", "recorder")
    kifu("share", game, "public")
    copy = tmp_path / "copy"
    kifu("backup", copy)
    assert not (copy / "owner.token").exists()
    assert json.loads(kifu("share", game, "--json", "--data", copy))["visibility"] == "public"
    assert "Anna" in kifu("people", "roles", "--data", copy)
    assert "Kept" in kifu("games", "--data", copy, "--token", token)
    old = (kifu.data / "owner.token").read_text().strip()
    assert "revoked" in kifu.fails("games", "--data", copy, "--token", old)


@pytest.mark.slow
def test_a_damaged_store_of_access_is_found_and_its_rest_goes_on(kifu):
    game = kifu.open("--black", "Anna", "--white", "Ben")
    kifu("share", game, "public")
    for name in ("Anna", "Ben"):
        kifu("people", "let", name, "viewer")
    path = kifu.data / "access.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update role set role = 'owner' where person = (select min(person) from role)")
    assert "a row of role is not what was written" in " ".join(kifu.run("verify").output.split())
    roles = json.loads(kifu("people", "roles", "--json"))["roles"]
    assert [each["role"] for each in roles] == ["viewer"], "what somebody wrote there gives nothing"
    assert json.loads(kifu("share", game, "--json"))["visibility"] == "public"
    assert "is set aside as access.db.damaged" in " ".join(kifu.run("verify").output.split())
    (kifu.data / "access.db.damaged").unlink()
    assert "Sound" in kifu("verify")


def roll_back(kifu, *, act):
    """Put the store of access back to what it was before `act`."""
    path = kifu.data / "access.db"
    older = path.read_bytes()
    act()
    path.write_bytes(older)


@pytest.mark.slow
def test_access_that_lost_changes_opens_nothing_and_is_mended_by_the_owner(kifu):
    game = kifu.open("--black", "Anna", "--white", "Ben")
    kifu("people", "let", "Anna", "recorder")
    kifu("share", game, "public")
    assert kifu("access") == "Access is complete: all changes are there.\n"
    assert "nothing to repair" in kifu.fails("access", "--revoke", "--yes")

    def revoke():
        kifu("people", "forbid", "Anna")
        kifu("share", game, "private")

    roll_back(kifu, act=revoke)
    found = "later revocations are missing"
    result = kifu.run("verify")
    assert (result.exit_code, found in " ".join(result.output.split())) == (1, True)
    assert any(found in each for each in json.loads(kifu.run("verify", "--json").stdout)["derived"])
    assert found in kifu.fails("people", "roles")
    assert found in " ".join(kifu.run("access").output.split())
    assert json.loads(kifu.run("access", "--json").stdout)["sound"] is False
    assert kifu.run("access", "--keep", stdin="n\n").exit_code == 1
    assert "Repaired with change" in kifu("access", "--keep", stdin="y\n")
    assert "Anna" in kifu("people", "roles"), "it was said to be kept"
    assert "Sound" in kifu("verify")

    roll_back(kifu, act=revoke)
    assert json.loads(kifu("access", "--revoke", "--yes", "--json"))["kept"] is False
    assert "Anna" not in kifu("people", "roles")
    assert json.loads(kifu("share", game, "--json"))["visibility"] == "private"
    trail = json.loads(kifu("people", "trail", "--json"))["steps"]
    assert [step["more"]["kept"] for step in trail if step["what"] == "access.accepted"] == [True, False]
    assert "Sound" in kifu("verify")
    assert "all changes are there" in kifu("access")


def test_access_is_not_mended_under_a_running_service(kifu, address):
    kifu.open()
    address()
    assert "open for writing" in kifu.fails("access", "--keep", "--yes")


@pytest.mark.slow
def test_a_backup_of_access_holds_all_changes_and_one_that_is_laid_back_is_noticed(kifu, tmp_path):
    game = kifu.open("--black", "Anna", "--white", "Ben")
    kifu("share", game, "public")
    copy = tmp_path / "copy"
    kifu("backup", copy)
    assert "all changes are there" in kifu("access", "--data", copy)
    kifu("share", game, "private")
    for name in ("access.db", "access.head"):
        (kifu.data / name).write_bytes((copy / name).read_bytes())
    assert "later revocations are missing" in kifu.fails("share", game), "the signed tree knows of the change"
    assert kifu.run("verify").exit_code == 1
    kifu("access", "--revoke", "--yes")
    assert "Sound" in kifu("verify")


@pytest.mark.slow
def test_a_link_is_made_opened_listed_and_revoked(kifu, address):
    game = kifu.open("--black", "Anna", "--title", "Shown")
    url = address()
    link = kifu("links", "make", game, "--seat", "Anna", "--name", "for Anna").strip()
    assert link.startswith(f"{url}/s/")
    assert "Shown" in httpx.get(link, trust_env=False, verify=PLAIN).text
    assert "for Anna seat 1 – 1" in " ".join(kifu("links", "list", game).split())
    (made,) = json.loads(kifu("links", "list", game, "--json"))["links"]
    assert "no longer works" in kifu("links", "revoke", game, made["id"][-6:])
    assert httpx.get(link, trust_env=False, verify=PLAIN).status_code == 404
    assert "00000 matches 0 links" in kifu.fails("links", "revoke", game, "00000")


@pytest.mark.slow
def test_a_phone_is_let_in_once_to_play_a_seat(kifu, address):
    game = kifu.open("--black", "Anna")
    assert "no service is running" in kifu.fails("invite", "Anna")
    url = address()
    printed = kifu("invite", "Anna", "--game", game, "--seat", "1")
    link, *drawn, typed = printed.splitlines()
    assert link.startswith(f"{url}/login?code=kifu_log_")
    assert len(drawn) > 15, "a QR code"
    assert re.fullmatch(rf"Or type [B-Z]{{4}}-[B-Z]{{4}} at {url}/join", typed)
    with httpx.Client(base_url=url, trust_env=False, verify=PLAIN) as phone:
        assert phone.post("/login", data={"code": link.partition("=")[2]}).status_code == 303
        assert phone.get(f"/v1/games/{game}/state").json()["viewpoint"] == "seat-0"
        assert phone.get("/v1/players").status_code == 403
        assert phone.post("/login", data={"code": link.partition("=")[2]}).status_code == 401
        kifu("invite", "Somebody New", "recorder")
        (open_,) = json.loads(kifu("people", "invitations", "--json"))["invitations"]
        assert f"Somebody New – – {open_['code']}" in " ".join(kifu("people", "invitations").split())
        assert "Its link and its code no longer work." in kifu("people", "withdraw", open_["id"][-6:])
        assert "no open invitation has the id" in kifu.fails("people", "withdraw", open_["id"][-6:])
        assert phone.post("/join", data={"code": open_["code"]}).status_code == 404
        assert "Somebody New recorder" in " ".join(kifu("people", "roles").split())
        kifu("players", "erase", "Anna", "--yes")
        assert phone.get(f"/v1/games/{game}/state").status_code == 401


@pytest.mark.slow
def test_one_person_entered_twice_is_merged_and_split_again(kifu):
    first, _ = kifu.open("--black", "Aiko K.", "--white", "Ben"), kifu.open("--black", "Aiko", "--white", "Ben")
    assert "Aiko K. is the same person as Aiko from now on." in kifu("people", "merge", "Aiko K.", "Aiko")
    assert "Aiko K." not in kifu("show", first)
    assert "Aiko K. Aiko 20" in " ".join(kifu("people", "merges").split())
    assert "Aiko K." not in kifu("players", "list")
    assert "nobody called Cleo was merged" in kifu.fails("people", "split", "Cleo")
    assert "Aiko K. is a separate person again." in kifu("people", "split", "Aiko K.")
    assert "Aiko K." in kifu("show", first)
    assert "nobody called Aiko K. was merged" in kifu.fails("people", "split", "Aiko K.")


def test_erasing_a_person_says_which_other_names_go_with_it(kifu):
    kifu.open("--black", "Aiko K.", "--white", "Aiko")
    kifu("people", "merge", "Aiko K.", "Aiko")
    assert "Their other names are erased, too: Aiko K." in kifu("players", "erase", "Aiko", "--yes")
    assert "Aiko" not in kifu("players", "list")
