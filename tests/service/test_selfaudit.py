"""What the self-audit finds is named where people look: at the service's health, and in its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.selfaudit import Difference

if TYPE_CHECKING:
    from tests.service.conftest import Api


def test_differences_are_named_at_the_health_page_to_those_who_may_see_the_game(api: Api) -> None:
    game, audits = api.play("-"), api.app.extensions["kifu"].audits
    api.app.extensions["kifu"].catch_up()
    health = api.get("/v1/health").get_json()
    assert (health["status"], health["audit"]) == ("ok", {"proofs": 0, "differences": {}})
    audits.keep(game, [Difference("catalogue", "its scores is not what its entries say")], 0.1)
    audits.keep("kahuna/3/17", [Difference("rules", "entry 4: it broke")], 0.1)
    health = api.get("/v1/health").get_json()
    assert (health["status"], health["audit"]["proofs"]) == ("differing", 2)
    rules = {"kahuna/3/17": ["rules: entry 4: it broke"]}
    mine = {game: ["catalogue: its scores is not what its entries say"]}
    assert health["audit"]["differences"] == rules | mine
    japanese = api.get("/v1/health", headers={"Accept-Language": "ja"}).get_json()["audit"]["differences"]
    assert japanese[game] == ["一覧: scores が記入と合いません"]
    assert japanese["kahuna/3/17"] == ["規則: 記入 4: it broke"], "what examines rules speaks to their authors"
    metrics = api.get("/metrics").text
    assert "kifu_audit_differences 2.0" in metrics
    assert "kifu_audit_proofs 2.0" in metrics
    api.token = None
    assert api.get("/v1/health").get_json()["audit"]["differences"] == rules


def test_what_is_mended_is_named_no_more(api: Api) -> None:
    audits = api.app.extensions["kifu"].audits
    audits.keep("kahuna/3/17", [Difference("rules", "one"), Difference("rules", "two")], 0.1)
    audits.keep("kahuna/3/17", [Difference("rules", "two")], 0.1)
    assert [found.why for found in audits.found()] == ["two"]
    audits.keep("kahuna/3/17", [], 0.1)
    api.app.extensions["kifu"].catch_up()
    assert api.get("/v1/health").get_json()["status"] == "ok"
