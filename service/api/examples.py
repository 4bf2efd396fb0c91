"""Examples for openapi.yaml: one sitting, request by request; the answers are those of a service.

`python -m tests.examples` plays it, and writes the answers anew if they are others.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from service.problems.kinds import KINDS

GAME = "0199d2f3-6a00-7000-8000-000000000001"
FORK = "0199d2f3-6a00-7000-8000-000000000002"
IMPORTED = "0199d2f3-6a00-7000-8000-000000000003"
PLAYER = "0199d2f3-6a00-7000-8000-00000000000a"
MEMBER = "3adaffb7-fa38-5875-b0a5-6650f2a1e1a2"
"""A person who is named in the entry of a club."""
CLUB = "0199d2f3-6a00-7000-8000-000000000021"
TOURNAMENT = "0199d2f3-6a00-7000-8000-000000000031"
SEASON = "0199d2f3-6a00-7000-8000-000000000041"
WEBHOOK = "0199d2f3-6a00-7000-8000-00000000000c"
CREDENTIAL = "0199d2f3-6a00-7000-8000-00000000000b"

PATH: dict[str, tuple[str, str]] = {
    "game": ("the game's id", GAME),
    "player": ("the person's id, a UUID made by the client", PLAYER),
    "club": ("the club's id", CLUB),
    "tournament": ("the tournament's id", TOURNAMENT),
    "season": ("the season's id", SEASON),
    "version": ("an entry's number in its game", "1"),
    "level": ("the level of a tile, 0 for the leaves", "0"),
    "analysis": ("the id of an analysis", CREDENTIAL),
    "tile": ("the number of a tile, and its width if it is not full, as `tlog-tiles` has it", "000.p/1"),
    "digest": ("the SHA-256 of a manifest", "0" * 64),
    "ruleset": ("the name of a ruleset", "scoresheet"),
    "template": ("the name of a ready template", "first_to_100"),
    "link": ("the id of a link, which is not the link itself", CREDENTIAL),
    "invitation": ("the id of an invitation", CREDENTIAL),
    "webhook": ("the id of an endpoint", WEBHOOK),
    "delivery": ("the id of a delivery", "1"),
    "token": ("the id of a token, which is not the token itself", CREDENTIAL),
    "name": ("a name", "kahuna"),
    "schema": ("the name of a schema", "entry"),
    "file": ("the name of an export", "games.csv"),
}
"""By parameter of a path: what it is, and one."""


def of_parameter(name: str) -> tuple[str, str]:
    """The description and an example of a path parameter. Raises `LookupError` for an undescribed one."""
    if name not in PATH:
        raise LookupError(f"describe the parameter <{name}> in PATH of service/api/examples.py")
    return PATH[name]


BODIES: dict[str, Any] = {
    "name_player": {"name": "Aiko"},
    "list_player": {"listed": True},
    "put_components": {"data": {"name": "Darts", "rounds": 3, "columns": [{"id": "points", "per": "round"}]}},
    "open_game": {
        "id": GAME,
        "ruleset": "kahuna",
        "seats": [{"player": PLAYER}, {"name": "Jonas"}],
        "title": "Sunday",
        "happened_at": "2026-11-22T15:00:00+01:00",
    },
    "record_entries": {
        "events": [
            {"id": "0199d2f3-6a00-7000-8000-000000000011", "data": {"move": "deal black BARI COCO DUDA"}},
            {
                "id": "0199d2f3-6a00-7000-8000-000000000012",
                "data": {"move": {"type": "build", "seat": 0, "card": "BARI", "line": "BARI-DUDA"}},
            },
            {
                "id": "0199d2f3-6a00-7000-8000-000000000013",
                "data": {
                    "move": {"type": "build", "seat": 1, "card": "ALOA", "line": "ALOA-HUNA"},
                    "override": {"reason": "White was too quick, and Black let it stand."},
                },
            },
            {"id": "0199d2f3-6a00-7000-8000-000000000014", "type": "note.added", "data": {"text": "Tea.", "entry": 3}},
        ]
    },
    "erase_entry": {"entry": 5, "what": "text"},
    "fork_game": {"id": FORK, "at": 3, "title": "What if White had waited"},
    "ask_for_analysis": {"kind": "timeline", "seat": "public"},
    "make_token": {"name": "The scoreboard in the hall", "role": "viewer", "days": 30},
    "invite": {"player": PLAYER},
    "invite_to_seat": {"seat": 0},
    "give_role": {"role": "recorder"},
    "give_game_role": {"role": "referee", "seats": [0]},
    "set_visibility": {"visibility": "public"},
    "make_link": {"name": "for Jonas", "seat": "public", "days": 7},
    "create_club": {"id": CLUB, "name": "Thursday Club"},
    "invite_to_club": {"role": "member"},
    "record_club_entry": {
        "id": "0199d2f3-6a00-7000-8000-000000000022",
        "type": "club.member_joined",
        "data": {"name": "Jonas"},
    },
    "open_club_game": {
        "id": "0199d2f3-6a00-7000-8000-000000000023",
        "ruleset": "kahuna",
        "seats": [{"player": PLAYER}, {"name": "Jonas"}],
    },
    "create_tournament": {"id": TOURNAMENT, "name": "Autumn Cup", "rules": {"rounds": 5, "tie_breaks": ["buchholz"]}},
    "record_tournament_entry": {
        "id": "0199d2f3-6a00-7000-8000-000000000032",
        "type": "tournament.player_entered",
        "data": {"name": "Jonas"},
    },
    "create_season": {"id": SEASON, "name": "Autumn 2026", "club": CLUB, "rules": {"first": "2026-09-01", "best": 10}},
    "record_season_entry": {
        "id": "0199d2f3-6a00-7000-8000-000000000042",
        "type": "season.points_given",
        "data": {"player": PLAYER, "points": -1, "reason": "late"},
    },
    "make_webhook": {
        "url": "https://scores.example/kifu",
        "description": "The scoreboard in the hall",
        "filter": {"rulesets": ["kahuna"], "types": ["game.entries.appended", "game.closed"]},
    },
    "change_webhook": {"enabled": True},
    "replay_webhook": {"after": 0, "until": 3},
}
"""By operation that takes JSON: its body, in the order of the sitting."""

ASIDE: dict[str, Any] = {
    "merge_player": {"into": "0199d2f3-6a00-7000-8000-00000000000d"},
    "open_tournament_game": {"id": "0199d2f3-6a00-7000-8000-000000000033", "round": 1, "table": 1, "ruleset": "kahuna"},
}
"""By operation that would change all that is shown after it, and is left out of the sitting: its body."""

FORMS: dict[str, Any] = {
    "authorize_device": {"client_id": "The scoreboard", "scope": "games:read exports:read"},
    "request_token": {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "kifu_dvc_0123456789ABCDEFGHIJKLMNOPQRST012345",
        "client_id": "The scoreboard",
    },
}
"""By operation that takes a form: its body."""

ANSWERS: dict[str, Any] = msgspec.json.decode((files("service.api") / "examples.json").read_bytes())
"""By operation that answers in JSON, and not at length: its answer."""

TEXTS = {
    "import_game": """\
[Ruleset "kahuna"]
[Title "Monday"]

deal black BARI COCO DUDA
b-d ; a bold beginning
""",
    "test_tokens": "kifu_app_0123456789ABCDEFGHIJKLMNOPQRST012345",
}
"""By request: a text that it sends."""

FILES = {
    "import_plays": """\
date,game,player,points
2026-11-22,Azul,Aiko,71
2026-11-22,Azul,Jonas,64
""",
    "paste_table": """\
Round,Player 1,Player 2,Player 3
1,20,-10,30
""",
}
"""By request: a file that it sends."""

PROBLEM: dict[str, Any] = {
    "type": "/problems/rule-broken",
    "title": KINDS["rule-broken"].title,
    "status": KINDS["rule-broken"].status,
    "detail": "it is black's turn, not white's",
    "advice": KINDS["rule-broken"].advice,
    "rule": "kahuna:SET-2",
    "entry_index": 0,
}
"""A problem: what a move of White at Black's turn is answered with."""
