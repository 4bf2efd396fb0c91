"""Forms of a page that somebody opened a while ago: what nobody touched stays as others have left it meanwhile."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

TEXT = 'One "line"\nand <another>'
RULES = {
    "club": {},
    "season": {
        "rules": {
            "first": "2026-01-01",
            "points": [[5, 2], [3, 1, 0]],
            "bonuses": [{"kind": "played", "points": 1}, {"kind": "lost_within", "points": 1, "at": 2}],
            "least": 1,
            "tie_breaks": ["wins"],
            "members": True,
        }
    },
    "tournament": {"rules": {"rounds": 3, "tie_breaks": ["buchholz", "sonneborn_berger"]}},
}


class Forms(HTMLParser):
    """What the forms of a page send, as a browser sends it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[dict[str, list[str]]] = []
        self._name, self._select = "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name, value = found.get("name") or "", found.get("value")
        if tag == "form":
            self.sent.append({})
        elif tag in {"textarea", "select"}:
            self._name, self._select = (name, "") if tag == "textarea" else ("", name)
            self._keep(name, "")
        elif tag == "option" and self._select and "selected" in found:
            self.sent[-1][self._select][-1] = value or ""
        elif tag == "input" and (found.get("type") != "checkbox" or "checked" in found):
            self._keep(name, value if value is not None else "on" if found.get("type") == "checkbox" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"textarea", "select"}:
            self._name, self._select = "", ""

    def handle_data(self, data: str) -> None:
        if self._name:
            self.sent[-1][self._name][-1] += data.replace("\n", "\r\n")

    def _keep(self, name: str, value: str) -> None:
        if self.sent and name:
            self.sent[-1].setdefault(name, []).append(value)


@pytest.fixture(params=RULES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def founded(api: Api, kind: str) -> str:
    """The address of a record. Every field of its form has a value."""
    ids = {"club": str(uuid7()), kind: str(uuid7())}
    for each, id_ in ids.items():
        more = {"club": ids["club"]} if each == "season" else {"public": True}
        body: dict[str, Any] = {"id": id_, "name": "Thursday", "description": TEXT}
        assert api.post(f"/v1/{each}s", body | more | RULES[each]).status_code == 201
    return f"/{kind}s/{ids[kind]}"


def changing(api: Api, address: str, kind: str) -> dict[str, list[str]]:
    """What the form that changes a record sends if nobody touches it."""
    (form,) = [each for each in Forms(api.get(address).text).sent if each.get("type") == [f"{kind}.changed"]]
    return form


def entries(api: Api, address: str) -> list[dict[str, Any]]:
    found = api.get(f"/v1{address}/entries").get_json()["entries"]
    assert isinstance(found, list)
    return found


def send(api: Api, address: str, form: dict[str, Any]) -> None:
    answer = api.request("POST", address, data=form)
    assert answer.status_code == 303, answer.text


def test_a_form_that_nobody_touched_records_nothing(api: Api, kind: str) -> None:
    address = founded(api, kind)
    send(api, address, changing(api, address, kind))
    assert len(entries(api, address)) == 1


def test_a_form_changes_what_was_touched_and_the_rest_stays_as_others_have_it_now(api: Api, kind: str) -> None:
    address = founded(api, kind)
    form = changing(api, address, kind)
    meanwhile = {"name": "Friday"} | ({} if kind == "season" else {"public": False})
    body = {"id": str(uuid7()), "type": f"{kind}.changed", "data": meanwhile}
    assert api.post(f"/v1{address}/entries", body).status_code == 201
    sent = form | {"description": ["At the library"]}
    for _ in range(2):  # an answer may be lost
        send(api, address, sent)
    assert entries(api, address)[2]["data"] == {"description": "At the library"}
    now = api.get(f"/v1{address}").get_json()
    assert {name: now[name] for name in meanwhile} == meanwhile


def test_a_text_that_was_erased_meanwhile_does_not_come_back(api: Api, kind: str) -> None:
    address = founded(api, kind)
    form = changing(api, address, kind)
    body = {"id": str(uuid7()), "type": f"{kind}.erased", "data": {"entry": 1}}
    assert api.post(f"/v1{address}/entries", body).status_code == 201
    send(api, address, form | {"name": ["Friday"]})
    now = api.get(f"/v1{address}").get_json()
    assert (now["name"], now["description"]) == ("Friday", "")


@pytest.mark.parametrize("shown", ["", "{", "[]", "7", "[" * 5000, "\ud800"])
def test_a_form_that_does_not_say_what_it_showed_changes_all_that_it_sends(api: Api, shown: str) -> None:
    address = founded(api, "club")
    form = changing(api, address, "club") | {"shown": [shown.encode("utf-8", "surrogatepass").decode("latin-1")]}
    form.pop("public")
    send(api, address, form | {"name": ["Friday"]})
    assert entries(api, address)[1]["data"] == {
        "name": "Friday",
        "description": TEXT.replace("\n", "\r\n"),
        "public": False,
    }


# Results of a tournament


def paired(send: Callable[[str, dict[str, Any]], Any], *tables: tuple[int, int]) -> tuple[str, list[str]]:
    """A tournament of four people with these tables in the first round, and the people."""
    address, people = f"/tournaments/{uuid7()}", [str(uuid7()) for _ in range(4)]
    send("/v1/tournaments", {"id": address.rpartition("/")[2], "name": "Cup", "rules": {"rounds": 3}})
    for number, player in enumerate(people):
        say(send, address, "player_entered", player=player, name=f"Player {number}")
    pair(send, address, people, *tables)
    return address, people


def say(send: Callable[[str, dict[str, Any]], Any], address: str, kind: str, **data: Any) -> None:
    send(f"/v1{address}/entries", {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data})


def pair(send: Callable[[str, dict[str, Any]], Any], address: str, people: list[str], *tables: tuple[int, int]) -> None:
    seated = [{"players": [people[seat] for seat in table]} for table in tables]
    say(send, address, "round_paired", round=1, tables=seated, byes=[])


def of_first_table(api: Api, address: str) -> dict[str, list[str]]:
    """What the form for the result of the first table sends."""
    forms = Forms(api.get(address).text).sent
    return next(each for each in forms if each.get("type") == ["tournament.result_entered"] and each["table"] == ["1"])


def places(api: Api, address: str) -> list[int] | None:
    found: list[int] | None = api.get(f"/v1{address}").get_json()["rounds"][0]["tables"][0]["places"]
    return found


def test_a_result_is_refused_if_the_table_has_another_one_by_now_and_stored_once(api: Api) -> None:
    address, _ = paired(api.post, (0, 1), (2, 3))
    late, first = (of_first_table(api, address) for _ in range(2))
    for _ in range(2):  # an answer may be lost
        send(api, address, first | {"place": ["1", "2"]})
    refused = api.request("POST", address, data=late | {"place": ["2", "1"]})
    assert (refused.status_code, "another result by now" in refused.text) == (400, True)
    assert places(api, address) == [1, 2]
    send(api, address, of_first_table(api, address) | {"place": ["2", "1"]})
    assert places(api, address) == [2, 1]
    kinds = [each["type"] for each in entries(api, address)]
    assert kinds.count("tournament.result_entered") == 2


def test_a_result_is_refused_if_others_sit_at_the_table_by_now(api: Api) -> None:
    address, people = paired(api.post, (0, 1), (2, 3))
    late = of_first_table(api, address)
    say(api.post, address, "withdrawn", entry=len(entries(api, address)))
    pair(api.post, address, people, (0, 2), (1, 3))
    refused = api.request("POST", address, data=late | {"place": ["2", "1"]})
    assert (refused.status_code, "other players" in refused.text) == (400, True)
    assert places(api, address) is None


def test_what_was_filled_in_for_a_table_does_not_come_back_at_another_one(
    visit: Callable[..., Page], service: Service
) -> None:
    """A browser puts what was filled in where the field stood, when somebody goes back to a page."""

    def post(path: str, body: dict[str, Any]) -> None:
        assert service.api.post(path, json=body).status_code == 201

    address, _ = paired(post, (0, 1), (2, 3))
    page = visit(address)
    for table in ("1", "2"):
        form = page.locator("form.stacked").filter(has=page.locator(f"input[name=table][value='{table}']"))
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        for seat in (0, 1):
            form.locator("select").nth(seat).select_option(str(2 - seat))
        with page.expect_navigation():
            form.get_by_role("button").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Pair the next round").click()
    for _ in range(2):
        page.go_back()
        assert page.locator("input[name=round][value='2']").count() > 0
        filled = page.evaluate("[...document.querySelectorAll('select[name=place]')].map((each) => each.value)")
        assert set(filled) == {""}
