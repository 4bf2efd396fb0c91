"""Valid requests to every route, which succeed for the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uuid_utils import uuid7

from games.scoresheet.ready import READY
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
    """Builds requests to the routes of one service. Creates their games, people, club and more once."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._game, self._other, player = api.play(), api.play(), str(uuid7())
        api.request("PUT", f"/v1/players/{player}", json={"name": "Anna"})
        api.request("PUT", "/v1/components/scoresheet/mine", json={"data": READY["hearts"]})
        club = str(uuid7())
        api.post("/v1/clubs", {"id": club, "name": "Thursday Club"})
        tournament = str(uuid7())
        api.post("/v1/tournaments", {"id": tournament, "name": "Autumn Cup"})
        season = str(uuid7())
        api.post("/v1/seasons", {"id": season, "name": "Autumn", "club": club})
        self._named = {
            "<release>/<path:filename>": f"{assets.digest()}/icon.svg",
            "<uuid:game>": self._game,
            "<uuid:before>": self._game,
            "<uuid:player>": player,
            "<game>": self._game,
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
            "<code>": api.post(f"/v1/games/{self._game}/links", {}).get_json()["path"].removeprefix("/s/"),
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
            "<digest>": "0" * 64,
        }

    def path(self, route: str) -> str:
        """The address of a route (`GET /v1/games/<game>`), with the query that it needs."""
        api, (method, path), named = self.api, route.split(" "), self._named
        if "<webhook>" in path:
            made = api.post("/v1/webhooks", {"url": "https://example.org"}).get_json()
            named = named | {"<webhook>": made["info"]["id"]}
        if "<analysis>" in path:
            made = api.post(f"/v1/games/{self._game}/analyses", {"kind": "timeline"}).get_json()
            named = named | {"<analysis>": made["id"]}
        if path.endswith("/family"):
            made = api.post("/v1/tokens", {"name": "x", "role": "viewer"}).get_json()
            named = named | {"<token>": made["info"]["id"]}
        for name, value in named.items():
            path = path.replace(name, value)
        if method == "GET" and path.endswith("/merge"):
            path += f"?into={api.app.context.access.owner}"
        path += {"comparison": f"?with={self._other}", "consistency": "?from=1"}.get(route.rpartition("/")[2], "")
        api.catch_up()
        return path
