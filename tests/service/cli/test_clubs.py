"""Clubs on the command line: invitations, and how they are created."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.plain_http import PLAIN

pytestmark = pytest.mark.service("kept")


def test_create_answers_to_its_name_in_release_0_2(kifu):
    for group, more in (("clubs", ()), ("seasons", ("Old",)), ("tournaments", ())):
        made = json.loads(kifu(group, "found", *more, "Old", "--json"))
        assert made["name"] == "Old"
        assert " found " not in kifu(group, "--help")


def test_an_invitation_to_a_club_is_made_listed_withdrawn_and_used(kifu, address):
    kifu("clubs", "create", "Club")
    assert "no service is running" in kifu.fails("clubs", "invite", "Club")
    url = address()
    printed = kifu("clubs", "invite", "Club", "Aiko", "--organiser")
    assert printed.startswith(f"{url}/login?code=kifu_log_")
    (listed,) = json.loads(kifu("clubs", "invitations", "Club", "--json"))["invitations"]
    assert (listed["name"], listed["role"]) == ("Aiko", "organiser")
    assert f"Or type {listed['code']} at {url}/join" in printed
    assert f"Aiko organiser {listed['code']}" in " ".join(kifu("clubs", "invitations", "Club").split())
    assert "no open invitation" in kifu.fails("clubs", "uninvite", "Club", "ffff")
    assert "no longer work" in kifu("clubs", "uninvite", "Club", listed["id"][-12:])
    assert httpx.post(f"{url}/join", data={"code": listed["code"]}, trust_env=False, verify=PLAIN).status_code == 404
    made = json.loads(kifu("clubs", "invite", "Club", "--json"))
    assert (
        httpx.post(f"{url}/join", data={"code": made["info"]["code"]}, trust_env=False, verify=PLAIN).status_code == 303
    )
    assert len(json.loads(kifu("clubs", "show", "Club", "--json"))["members"]) == 2
    assert json.loads(kifu("clubs", "invitations", "Club", "--json"))["invitations"] == []
