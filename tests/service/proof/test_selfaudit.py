"""What the self-audit finds is named where people look: at the service's health, and in its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.rulesets import SHIPPED
from projections.selfaudit import Difference, differences
from tests import goldens
from workers.jobs import make_snapshot

if TYPE_CHECKING:
    from tests.service.conftest import Api


def test_differences_are_named_at_the_health_page_to_those_who_may_see_the_game(api: Api) -> None:
    game, audits = api.play("-"), api.app.context.audits
    api.app.context.catch_up()
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
    audits = api.app.context.audits
    audits.keep("kahuna/3/17", [Difference("rules", "one"), Difference("rules", "two")], 0.1)
    audits.keep("kahuna/3/17", [Difference("rules", "two")], 0.1)
    assert [found.why for found in audits.differences()] == ["two"]
    audits.keep("kahuna/3/17", [], 0.1)
    api.app.context.catch_up()
    assert api.get("/v1/health").get_json()["status"] == "ok"


@pytest.mark.parametrize("ruleset", SHIPPED)
@pytest.mark.slow
def test_every_recorded_game_has_snapshots_that_are_stored_and_proves_itself(api: Api, ruleset: str) -> None:
    kifu = api.app.context
    for golden in goldens.sample_of(ruleset, 8):
        answer = api.post("/v1/imports", data=golden.read_bytes(), content_type="text/plain")
        assert answer.status_code == 201, answer.text
        game = answer.get_json()["game"]
        version = api.get(f"/v1/games/{game}").get_json()["version"]
        api.catch_up()
        make_snapshot(kifu.results, kifu.archive.folds, game, version)
        (snapshot,) = api.get(f"/v1/games/{game}/snapshots").get_json()["snapshots"]
        score = api.get(f"/v1/games/{game}/score").get_json()
        score["rules"] = [rule["id"] for rule in score["rules"]]
        assert snapshot["audit"] == score, golden.name
        assert not list(differences(kifu.archive.log, kifu.archive.views, game)), golden.name
