"""Requests to every route that fit, so that the owner's are carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uuid_utils import uuid7

from games.scoresheet.components import READY
from service.pages import assets

if TYPE_CHECKING:
    from service.app import Application
    from tests.service.conftest import Api


def routes(app: Application) -> set[str]:
    """Every method of every route."""
    found = set()
    for rule in app.site.url_map.iter_rules():
        found |= {f"{method} {rule.rule}" for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    return found


class RequestBuilder:
    """A request to a route: what it is about is there."""

    def __init__(self, api: Api, route: str) -> None:
        self.method, self.path = route.split(" ")
        game, other, player = api.play(), api.play(), str(uuid7())
        api.request("PUT", f"/v1/players/{player}", json={"name": "Anna"})
        api.request("PUT", "/v1/components/scoresheet/mine", json={"data": READY["hearts"]})
        club = str(uuid7())
        api.post("/v1/clubs", {"id": club, "name": "Thursday Club"})
        tournament = str(uuid7())
        api.post("/v1/tournaments", {"id": tournament, "name": "Autumn Cup"})
        season = str(uuid7())
        api.post("/v1/seasons", {"id": season, "name": "Autumn", "club": club})
        named = {
            "<release>/<path:filename>": f"{assets.digest()}/icon.svg",
            "<uuid:game>": game,
            "<uuid:before>": game,
            "<uuid:player>": player,
            "<game>": game,
            "<club>": club,
            "<tournament>": tournament,
            "<uuid:tournament>": tournament,
            "<season>": season,
            "<uuid:season>": season,
            "<uuid:club>": club,
            "<player>": player,
            "<uuid:into>": api.app.context.access.owner,
            "<token>": str(uuid7()),
            "<link>": str(uuid7()),
            "<invitation>": str(uuid7()),
            "/join/<code>": "/join/BCDF-GHJK",
            "<delivery>": "1",
            "<code>": api.post(f"/v1/games/{game}/links", {}).get_json()["path"].removeprefix("/s/"),
            "<template>": "wizard",
            "<ruleset>/<name>": "scoresheet/mine",
            "<ruleset>": "scoresheet",
            "problems/<name>": "problems/conflict",
            "<name>": "kahuna",
            "<file>": "entries.csv",
            "<schema>": "entry",
            "<version>": "1",
            "<level>": "0",
            "<path:tile>": "000.p/1",
        }
        if "<webhook>" in self.path:
            made = api.post("/v1/webhooks", {"url": "https://example.org"}).get_json()
            named["<webhook>"] = made["info"]["id"]
        if "<analysis>" in self.path:
            asked = api.post(f"/v1/games/{game}/analyses", {"kind": "timeline"})
            named["<analysis>"] = asked.get_json()["id"]
        if self.path.endswith("/family"):
            named["<token>"] = api.post("/v1/tokens", {"name": "x", "role": "viewer"}).get_json()["info"]["id"]
        for name, value in named.items():
            self.path = self.path.replace(name, value)
        if self.method == "GET" and self.path.endswith("/merge"):
            self.path += f"?into={api.app.context.access.owner}"
        self.path += {"comparison": f"?with={other}", "consistency": "?from=1"}.get(route.rpartition("/")[2], "")
        api.catch_up()
