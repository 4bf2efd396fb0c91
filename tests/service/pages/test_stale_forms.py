"""Forms of a page that somebody opened a while ago: what nobody touched stays as others have left it meanwhile."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

if TYPE_CHECKING:
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
    """The address of a record whose form has something in every field."""
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
