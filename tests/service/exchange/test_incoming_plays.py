"""Plays from files of other trackers: what is told is taken in, once, and a bad play keeps no other one out."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uuid_utils import uuid7

from service.exchange.incoming import bgg, bgstats, csv_plays
from service.exchange.incoming import plays as incoming
from service.exchange.incoming.csv_plays import CsvPlays
from service.exchange.incoming.days import day_first, parse_moment
from service.exchange.incoming.plays import BadFileError, BadPlayError, IncomingPlay, parse_points
from tests.cases import cases

if TYPE_CHECKING:
    from tests.service.conftest import Api

PLAYERS = [
    {"uuid": "P1", "id": 1, "name": "Ada", "isAnonymous": False},
    {"uuid": "P2", "id": 2, "name": "Björn", "isAnonymous": False},
    {"uuid": "P3", "id": 3, "name": "Anonymous player", "isAnonymous": True},
]
GAMES = [
    {"uuid": "G1", "id": 1, "name": "Azul", "bggId": 230802, "cooperative": False, "highestWins": True},
    {"uuid": "G2", "id": 2, "name": "Pandemic", "bggId": 30549, "cooperative": True, "highestWins": True},
    {"uuid": "G3", "id": 3, "name": "6 nimmt!", "bggId": 432, "cooperative": False, "highestWins": False},
]


def score(player: int, points: str, *, winner: bool = False, **more: Any) -> dict[str, Any]:
    return {"playerRefId": player, "score": points, "winner": winner, "rank": 0, "seatOrder": 0} | more


def play(key: str, game: int, *scores: dict[str, Any], **more: Any) -> dict[str, Any]:
    told = {"uuid": key, "gameRefId": game, "playDate": "2023-09-16 19:30:00", "locationRefId": 1, "durationMin": 45}
    return told | {"ignored": False, "comments": "", "playerScores": list(scores)} | more


def backup(*plays: Any, **more: Any) -> bytes:
    book = {"players": PLAYERS, "games": GAMES, "locations": [{"uuid": "L1", "id": 1, "name": "Porto"}]}
    return json.dumps(book | {"plays": list(plays)} | more).encode()


def bring(api: Api, content: bytes, query: str = "", status: int = 200) -> dict[str, Any]:
    answer = api.post(f"/v1/imports/plays{query}", data=content, content_type="application/octet-stream")
    assert answer.status_code == status, answer.text
    api.catch_up()
    return dict(answer.get_json())


def whats(answer: dict[str, Any]) -> list[str]:
    return [item["what"] for item in answer["items"]]


def test_a_play_of_bg_stats_becomes_a_finished_score_sheet(api: Api) -> None:
    answer = bring(api, backup(play("U1", 1, score(1, "71", winner=True), score(2, "64"), comments="rain outside")))
    (item,) = answer["items"]
    assert (item["what"], item["name"], item["key"]) == ("new", "Azul", "U1")
    info = api.get(f"/v1/games/{item['game']}").get_json()
    assert info["scores"] == [71, 64]
    assert info["outcome"]["winners"] == [0]
    assert info["status"] == "finished"
    assert info["place"] == "Porto"
    (listed,) = api.get("/v1/games").get_json()["games"]
    assert listed["game_name"]["en"] == "Azul" if isinstance(listed["game_name"], dict) else listed["game_name"]
    assert listed["played_at"].startswith("2023-09-16T19:30")
    notes = [
        event["data"].get("text", "") for event in api.get(f"/v1/games/{item['game']}/events").get_json()["events"]
    ]
    assert "Imported from BG Stats: U1" in notes
    assert any("45 minutes" in note and "rain outside" in note for note in notes)


@pytest.mark.parametrize(
    ("told", "scores", "winners"),
    [
        (play("A", 1, score(1, "10"), score(2, "12")), [10, 12], [1]),
        (play("A", 3, score(1, "10"), score(2, "12")), [10, 12], [0]),
        (play("A", 1, score(1, "10", winner=True), score(2, "12")), [10, 12], [0]),
        (play("A", 1, score(1, "10", winner=True), score(2, "10")), [10, 10], [0]),
        (play("A", 1, score(1, "", rank=2), score(2, "", rank=1, winner=True)), [0, 0], [1]),
        (play("A", 1, score(1, "ten", winner=True), score(2, "9")), [0, 0], [0]),
        (play("A", 2, score(1, "", winner=True), score(2, "", winner=True)), [0, 0], [0, 1]),
        (play("A", 2, score(1, ""), score(2, "")), [0, 0], []),
        (play("A", 1, score(1, "7.5", winner=True), score(3, "7")), None, [0]),
    ],
)
def test_who_won_is_what_the_file_tells(
    api: Api, told: dict[str, Any], scores: list[int] | None, winners: list[int]
) -> None:
    (item,) = bring(api, backup(told))["items"]
    assert item["what"] == "new", item
    info = api.get(f"/v1/games/{item['game']}").get_json()
    assert info["outcome"]["winners"] == winners
    if scores:
        assert info["scores"] == scores
    assert not info.get("irregular")


def test_a_winner_who_is_not_told_is_not_made_up(api: Api) -> None:
    (item,) = bring(api, backup(play("A", 1, score(1, "9"), score(2, "x"))))["items"]
    info = api.get(f"/v1/games/{item['game']}").get_json()
    assert info["outcome"] is None
    assert info["status"] == "abandoned"
    notes = [
        event["data"].get("text", "") for event in api.get(f"/v1/games/{item['game']}/events").get_json()["events"]
    ]
    assert any("Player 1: 9" in note and "Player 2: x" in note for note in notes)


def test_a_second_import_doubles_nothing_and_corrects_what_changed(api: Api) -> None:
    first = backup(play("U1", 1, score(1, "71"), score(2, "64")), play("U2", 1, score(1, "50"), score(2, "60")))
    assert whats(bring(api, first, "?dry_run=true")) == ["new", "new"]
    assert api.get("/v1/games").get_json()["games"] == []
    answer = bring(api, first)
    assert whats(answer) == ["new", "new"]
    assert whats(bring(api, first)) == ["same", "same"]
    game = answer["items"][0]["game"]
    version = api.get(f"/v1/games/{game}").get_json()["version"]
    changed = backup(play("U1", 1, score(1, "71"), score(2, "74")), play("U2", 1, score(1, "50"), score(2, "60")))
    assert whats(bring(api, changed, "?dry_run=true")) == ["changed", "same"]
    assert api.get(f"/v1/games/{game}").get_json()["version"] == version
    assert whats(bring(api, changed)) == ["changed", "same"]
    info = api.get(f"/v1/games/{game}").get_json()
    assert (info["scores"], info["outcome"]["winners"], info["version"]) == ([71, 74], [1], version + 1)
    assert whats(bring(api, changed)) == ["same", "same"]
    assert whats(bring(api, first)) == ["changed", "same"], "the file went back"
    assert api.get(f"/v1/games/{game}").get_json()["scores"] == [71, 64]
    assert whats(bring(api, first)) == ["same", "same"]
    assert len(api.get("/v1/games").get_json()["games"]) == 2


def test_people_of_a_play_can_come_in_another_order_later(api: Api) -> None:
    """A table that was sorted: each keeps the seat, a guest among them too, and gets the points of the new file."""
    first = backup(play("U1", 1, score(1, "71"), score(3, "5"), score(2, "64")))
    (item,) = bring(api, first)["items"]
    seats = api.get(f"/v1/games/{item['game']}").get_json()["seats"]
    other = backup(play("U1", 1, score(2, "64"), score(3, "5"), score(1, "71")))
    assert whats(bring(api, other)) == ["same"]
    changed = backup(play("U1", 1, score(3, "6"), score(2, "64"), score(1, "60")))
    assert whats(bring(api, changed, "?dry_run=true")) == ["changed"]
    assert whats(bring(api, changed)) == ["changed"]
    info = api.get(f"/v1/games/{item['game']}").get_json()
    assert (info["scores"], info["seats"]) == ([60, 6, 64], seats)
    assert whats(bring(api, changed)) == ["same"]
    somebody = backup(play("U1", 1, score(1, "60"), score(3, "6")))
    (refused,) = bring(api, somebody)["items"]
    assert (refused["what"], refused["why"].partition(":")[0]) == ("refused", "players")


def test_a_correction_by_hand_stays(api: Api) -> None:
    file = backup(play("U1", 1, score(1, "71"), score(2, "64")))
    (item,) = bring(api, file)["items"]
    events = api.get(f"/v1/games/{item['game']}/events").get_json()["events"]
    entry = next(event["version"] for event in events if event["type"] == "move.made")
    by_hand = {
        "id": str(uuid7()),
        "type": "entry.replaced",
        "data": {"entry": entry, "move": "points 71 80", "reason": "miscounted"},
    }
    assert api.post(f"/v1/games/{item['game']}/events", {"events": [by_hand]}).status_code == 201
    assert whats(bring(api, file)) == ["same"]
    assert api.get(f"/v1/games/{item['game']}").get_json()["scores"] == [71, 80]


def test_one_bad_play_keeps_no_other_one_out(api: Api) -> None:
    bad: list[Any] = [
        7,
        play("", 1, score(1, "1")),
        play("B1", 9, score(1, "1")),
        play("B2", 1),
        play("B3", 1, score(9, "1")),
        play("B4", 1, score(1, "1"), playDate="tomorrow"),
        play("B5", 1, score(1, "1"), ignored=True),
        play("B6", 1, *[score(3, "1")] * 200),
    ]
    answer = bring(api, backup(*bad, play("G", 1, score(1, "3"), score(2, "4"))))
    assert whats(answer) == ["refused"] * len(bad) + ["new"]
    assert all(item["why"] for item in answer["items"][:-1])
    assert len(api.get("/v1/games").get_json()["games"]) == 1


def test_a_play_that_stands_in_a_file_twice_is_taken_once(api: Api) -> None:
    file = backup(play("U1", 1, score(1, "7"), score(2, "6")), play("U1", 1, score(1, "1"), score(2, "2")))
    assert whats(bring(api, file)) == ["new", "refused"]
    assert whats(bring(api, file)) == ["same", "refused"], "the second one would correct the first at every import"


OTHERWISE: dict[str, dict[str, Any]] = {
    "game": {"gameRefId": 4},
    "date": {"playDate": "2023-09-17 19:30:00"},
    "place": {"locationRefId": 2},
    "date, place": {"playDate": "2023-09-17 19:30:00", "locationRefId": None},
    "result": {"playerScores": [score(1, "7", rank=1), score(2, "6", rank=2)]},
    "players": {"playerScores": [score(1, "7", winner=True), score(4, "6")]},  # another person
    "result, players": {"playerScores": [score(1, "7", winner=True)]},
}


@pytest.mark.parametrize("fields", OTHERWISE)
def test_what_a_game_was_opened_with_is_named_when_the_file_tells_it_differently(api: Api, fields: str) -> None:
    more = {
        "players": [*PLAYERS, {"uuid": "P4", "id": 4, "name": "Chiyo"}],
        "games": [*GAMES, {"uuid": "G4", "id": 4, "name": "Azure", "bggId": 230802, "highestWins": True}],
        "locations": [{"id": 1, "name": "Porto"}, {"id": 2, "name": "Tokyo"}],
    }
    scores = (score(1, "7", winner=True), score(2, "6"))
    assert whats(bring(api, backup(play("U1", 1, *scores), **more))) == ["new"]
    (item,) = bring(api, backup(play("U1", 1, *scores, **OTHERWISE[fields]), **more))["items"]
    told = "this has changed in the file since the import; change the game here"
    assert (item["what"], item["why"]) == ("refused", f"{fields}: {told}")


def test_a_name_that_stands_in_a_play_twice_is_refused(api: Api) -> None:
    players = [*PLAYERS, {"uuid": "P4", "id": 4, "name": "ＡＤＡ", "isAnonymous": False}]
    file = backup(play("U1", 1, score(1, "7"), score(4, "6")), players=players)
    (item,) = bring(api, file)["items"]
    assert "players: Ada is in this play twice" in item["why"]
    guests = backup(play("U2", 1, score(3, "7"), score(3, "6")))
    assert whats(bring(api, guests)) == ["new"], "anonymous players have no names"


def test_two_plays_of_an_evening_without_ids_are_two(api: Api) -> None:
    played = "".join(f"2024-01-02,Azul,{name},{number}\n" for number in range(2) for name in "AB")
    rows = f"date,game,player,points\n{played}".encode()
    answer = bring(api, rows)
    assert whats(answer) == ["new", "new"]
    scores = [api.get(f"/v1/games/{item['game']}").get_json()["scores"] for item in answer["items"]]
    assert scores == [[0, 0], [1, 1]]
    assert whats(bring(api, rows)) == ["same", "same"]


@pytest.mark.parametrize("rank", ["9" * 5000, "0", "-1", "2.5", "first"])
def test_a_rank_that_is_none_is_left_out(api: Api, rank: str) -> None:
    answer = bring(api, f"game,player,points,rank\nAzul,Ada,3,{rank}\nAzul,Bo,2,2\n".encode())
    assert whats(answer) == ["new"]
    assert api.get(f"/v1/games/{answer['items'][0]['game']}").get_json()["outcome"]["winners"] == [0]


def test_deleted_plays_are_left_out(api: Api) -> None:
    deleted = [{"uuid": "U1", "objectType": "play"}]
    assert bring(api, backup(play("U1", 1, score(1, "1"), score(2, "2")), deletedObjects=deleted))["items"] == []


def test_people_are_found_by_their_names_and_proposed_where_they_differ_in_form_alone(api: Api) -> None:
    ada = "018f0000-0000-7000-8000-000000000001"
    api.request("PUT", f"/v1/players/{ada}", json={"name": "ADA"})
    file = backup(play("U1", 1, score(1, "1"), score(2, "2")))
    tried = bring(api, file, "?dry_run=true")
    assert tried["people"] == [
        {"name": "Ada", "how": "near", "player": ada},
        {"name": "Björn", "how": "new", "player": None},
    ]
    spelt = backup(
        play("U1", 1, score(1, "1")),
        play("U2", 1, score(2, "2")),
        players=[*PLAYERS[1:], {**PLAYERS[1], "id": 1, "name": "björn "}],
    )
    assert [each["how"] for each in bring(api, spelt, "?dry_run=true")["people"]] == ["new", "near"]
    (item,) = bring(api, file, "?people=known")["items"]
    seats = api.get(f"/v1/games/{item['game']}").get_json()["seats"]
    assert [seat["player"] for seat in seats] == [ada, None]


def test_a_file_goes_on_where_it_ended(api: Api) -> None:
    file = backup(*(play(f"U{number}", 1, score(1, "1"), score(2, "2")) for number in range(5)))
    first = bring(api, file, "?limit=2")
    assert (len(first["items"]), first["next"]) == (2, 2)
    last = bring(api, file, "?limit=2&after=4")
    assert (len(last["items"]), last["next"]) == (1, None)


def test_of_a_long_file_those_plays_alone_are_read_that_are_asked_for(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def counted(found: Any, key: str, *more: Any) -> IncomingPlay:
        read.append(key)
        return own(found, key, *more)

    own = bgstats._play
    monkeypatch.setattr(bgstats, "_play", counted)
    file = backup(*(play(f"U{number}", 1, score(1, "1"), score(2, "2")) for number in range(50)))
    found = bring(api, file, "?limit=3&after=20&dry_run=true")
    assert read == [item["key"] for item in found["items"]] == ["U20", "U21", "U22"]
    assert found["next"] == 23


ROW = "2026-01-01,Uno,Ada,3\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (f"date,game,player,score\n{ROW * 31}", "it has more than 30 rows; import it in several files"),
        (f"date,game,player,score\n{ROW}{',,,' * 11}\n", "line 3 has 34 columns; 500 are taken at most"),
        (f"date,game,player,score{',more' * 29}\n{ROW}", "line 1 has 33 columns; 500 are taken at most"),
        (f"date,game,player,score\n{ROW * 21}", "it has more than 20 plays; import it in several files"),
        (json.dumps({"plays": [0] * 42}), "it has 41 parts; 40 are taken at most. Import it in several files"),
        (f"<plays>{'<play/>' * 40}</plays>", "it has 42 parts; 40 are taken at most. Import it in several files"),
    ],
    ids=["rows", "columns of a row", "columns of the head", "plays", "fields", "elements"],
)
def test_a_file_that_memory_is_too_small_for_is_refused_and_nothing_of_it_stored(
    api: Api, monkeypatch: pytest.MonkeyPatch, content: str, why: str
) -> None:
    monkeypatch.setattr(csv_plays, "MOST_ROWS", 30)
    monkeypatch.setattr(csv_plays, "MOST_CELLS", 30)
    monkeypatch.setattr(incoming, "MOST_PLAYS", 20)
    monkeypatch.setattr(incoming, "MOST_PARTS", 40)
    assert bring(api, content.encode(), "?limit=2", 400)["detail"] == why
    assert api.get("/v1/games").get_json()["games"] == []


def test_a_table_is_read_row_by_row() -> None:
    table = CsvPlays(f"date,game,player,score\n{ROW * 4_000}".encode(), {})
    tracemalloc.start()
    try:
        assert sum(1 for _ in table) == 4_000
        assert tracemalloc.get_traced_memory()[1] < 200 * 4_000, "what a play is known by is kept, and not its rows"
    finally:
        tracemalloc.stop()


def test_somebody_else_changes_nothing_of_an_imported_game(api: Api) -> None:
    (item,) = bring(api, backup(play("U1", 1, score(1, "71"), score(2, "64"))))["items"]
    other = api.let_in("owner", scopes=["imports:write"])
    changed = backup(play("U1", 1, score(1, "71"), score(2, "74")), play("U2", 1, score(1, "1"), score(2, "2")))
    answer = bring(other, changed)
    assert whats(answer) == ["refused", "new"]
    assert "somebody else imported this play" in answer["items"][0]["why"]
    assert all(person["player"] is None for person in answer["people"]), "names are looked up, and ids are not told"
    assert api.get(f"/v1/games/{item['game']}").get_json()["scores"] == [71, 64]
    assert api.client.post("/v1/imports/plays", data=b"{}").status_code == 401
    may_not = api.let_in("viewer").post("/v1/imports/plays", data=b"{}", content_type="application/octet-stream")
    assert may_not.status_code == 403


XML = """<?xml version="1.0" encoding="utf-8"?>
<plays username="ada" userid="1" total="2" page="1">
 <play id="11" date="2024-02-03" quantity="2" length="60" incomplete="0" nowinstats="0" location="Home">
  <item name="Wingspan" objecttype="thing" objectid="266192"/>
  <comments>Close.</comments>
  <players>
   <player username="ada" userid="1" name="Ada" startposition="1" color="" score="88" new="0" rating="0" win="1"/>
   <player username="" userid="0" name="Bo" startposition="2" color="red" score="49-46ish" new="0" rating="0" win="0"/>
  </players>
 </play>
 <play id="12" date="0000-00-00" quantity="1" length="0" incomplete="0" location="">
  <item name="Chess" objecttype="thing" objectid="171"/>
 </play>
</plays>"""


def test_plays_of_boardgamegeek_are_taken_in(api: Api) -> None:
    answer = bring(api, XML.encode())
    assert whats(answer) == ["new", "new", "refused"]
    assert "names nobody" in answer["items"][2]["why"]
    info = api.get(f"/v1/games/{answer['items'][0]['game']}").get_json()
    assert info["outcome"]["winners"] == [0]
    assert whats(bring(api, XML.encode())) == ["same", "same", "refused"]


def test_a_play_that_does_not_count_for_wins_has_points_and_no_winner(api: Api) -> None:
    uncounted = (
        XML.replace('nowinstats="0"', 'nowinstats="1"').replace("49-46ish", "49").replace('length="60"', 'length=""')
    )
    answer = bring(api, uncounted.encode())
    info = api.get(f"/v1/games/{answer['items'][0]['game']}").get_json()
    assert (info["scores"], info["status"], info["outcome"]) == ([88, 49], "abandoned", None)
    assert whats(bring(api, uncounted.encode())) == ["same", "same", "refused"]


ENTITIES = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">'
BOMB = f'<?xml version="1.0"?><!DOCTYPE plays [{ENTITIES}]><plays>&b;</plays>'


TABLE_IN_TWO_ENCODINGS = b"\n".join(
    line.encode(encoding)
    for line, encoding in (("date,game,player", "utf-8"), ("2024-01-02,将棋,愛子", "utf-8"), (",将棋,竜", "cp932"))
)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "not JSON"),
        (b"{}", "list `plays`"),
        (b"[" * 100_000, "nested too deeply"),
        (b'\xef\xbb\xbf\n[ {"date": "2024-01-02", "game": "Azul"} ]', "is a JSON object with a list `plays`"),
        (b"[]", "is a JSON object with a list `plays`"),
        (b'{"plays": ' + b"[" * 100_000, "nested too deeply"),
        (BOMB.encode(), "document type"),
        (b"<plays><play>", "not XML"),
        (b"<html></html>", "begin with <plays>"),
        (b"", "the table is empty"),
        ("\ufeff \r\n".encode(), "the table is empty"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b"PK\x03\x04\x14\x00", "it is a spreadsheet or another zip file; save the table as CSV"),
        (b"\x81\x00\xff", "is not UTF-8"),
        (b"a,b\n1,2\n", "no column says the game or the player"),
        (b"2024-01-02,Azul,Ada,71\n", "its first line has no column names (2024-01-02 is none)"),
        (b"date,game,player\n2024-01-02,Azul,A\0da\n", "line 2: it has a character that no text has"),
        ("date,game,player\n2024-01-02,Azul,Zoë\n".encode() + "2024-01-02,Azul,Zoë\n".encode("cp1252"), "line 3: its"),
        (b'{"plays": [],\n "players": "Zo\xeb"}', "line 2: it is not in UTF-8, as JSON has to be"),
        (b'{"plays": [], "plays": []}', "plays: this key is in one object twice"),
        (TABLE_IN_TWO_ENCODINGS, "line 3: its encoding is not UTF-8"),
        (TABLE_IN_TWO_ENCODINGS.replace(b"\n", b"\r"), "line 3: its encoding is not UTF-8"),
        (b"c," * 999_999 + b"c", "columns"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(shared: Api, content: bytes, why: str) -> None:
    answer = bring(shared, content, status=400)
    assert answer["type"].endswith("bad-import")
    assert why in answer["detail"], answer["detail"]
    assert shared.get("/v1/games").get_json()["games"] == []


TABLE = """Datum;Spiel;Spieler;Punkte;Sieger
16.09.2023;Azul;Ada;71;ja
16.09.2023;Azul;Björn;64;nein
17.09.2023;Go;ウノ;'-3;ja
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_tables_are_read_in_any_encoding_and_their_heads_are_guessed(api: Api, encoding: str) -> None:
    answer = bring(api, TABLE.encode(encoding))
    assert answer["columns"] == {
        "game": "Spiel",
        "date": "Datum",
        "player": "Spieler",
        "points": "Punkte",
        "won": "Sieger",
    }
    assert whats(answer) == ["new", "new"]
    first, second = (api.get(f"/v1/games/{item['game']}").get_json() for item in answer["items"])
    assert (first["scores"], first["outcome"]["winners"]) == ([71, 64], [0])
    assert second["scores"] == [-3]


@cases(
    ("head", "yes", "no"),
    [
        ("Date;Jeu;Joueur;Score;Gagné", "oui", "non"),
        ("Fecha;Juego;Jugador;Puntuación;Ganó", "sí", "no"),
        ("Data;Jogo;Jogador;Pontuação;Venceu", "sim", "não"),
        ("Data;Gioco;Giocatore;Punteggio;Vinto", "sì", "no"),
        ("Datum;Spel;Speler;Punten;Gewonnen", "ja", "nee"),
        ("日付;ゲーム;プレーヤー;スコア;勝敗", "○", "×"),
        ("日付;ゲーム;プレイヤー;得点;勝", "勝", "負"),
    ],
)
def test_heads_are_guessed_in_many_languages(head: str, yes: str, no: str) -> None:
    text = f"{head}\n16.09.2023;Azul;Ada;71;{yes}\n16.09.2023;Azul;Björn;64,5;{no}\n"
    (play,) = (each.item() for each in CsvPlays(text.encode(), {}))
    assert isinstance(play, IncomingPlay)
    assert (play.game, play.played_at) == ("Azul", "2023-09-16T12:00:00Z")
    assert [(each.name, each.won) for each in play.results] == [("Ada", True), ("Björn", False)]
    assert [each.points for each in play.results] == [71, Fraction("64.5")]


@cases("encoding", ["utf-16-le", "utf-16-be"])
def test_a_japanese_table_in_utf16_needs_no_mark(encoding: str) -> None:
    text = "日付,ゲーム,プレイヤー,得点\n二〇二四年の春の夜に皆で楽しく遊んだ　碁会所の卓,ウノ,愛子,30\n"
    (play,) = CsvPlays(text.encode(encoding), {})
    assert play.key.endswith("碁会所の卓, ウノ")


@cases(
    ("rows", "why"),
    [
        ("1,2024-01-02,Azul,Ada\n2,2024-01-02,Azul,Ada\n1,2024-01-02,Go,Bo\n", "game: the rows of this play say"),
        ("1,2024-01-02,Azul,Ada\n1,03.01.2024,Azul,Bo\n", "date: the rows of this play say"),
        ("1,2024-01-02 20:00,Azul,Ada\n1,02.01.2024 21:30,AZUL,Bo\n1,,,Cleo\n", None),
    ],
)
def test_rows_with_one_id_tell_one_game_and_one_day(rows: str, why: str | None) -> None:
    first, *_ = (each.item() for each in CsvPlays(f"play,date,game,player\n{rows}".encode(), {}))
    assert getattr(first, "why", None) is None if why is None else getattr(first, "why", "").startswith(why)


def test_the_line_that_markdown_draws_below_heads_is_no_play() -> None:
    text = "| Game | Player | Points |\n|:-----|--------|-------:|\n| Azul | Ada | 71 |\n"
    (play,) = (each.item() for each in CsvPlays(text.encode(), {}))
    assert isinstance(play, IncomingPlay)
    assert (play.game, [each.name for each in play.results]) == ("Azul", ["Ada"])


def test_names_keep_what_joins_their_letters(api: Api) -> None:
    """A name with an invisible joiner became another person when its own export came back."""
    names = ["علی\u200cرضا", "👩\u200d👧"]
    told = "".join(f"{name},Azul,{name},1,{name}\n" for name in names)
    answer = bring(api, f"place,game,player,points,comment\n{told}".encode())
    assert [person["name"] for person in answer["people"]] == names
    written = api.get("/v1/exports/bgstats.json").data
    again = bring(api, written, "?dry_run=true")
    assert {person["name"]: person["how"] for person in again["people"]} == dict.fromkeys(names, "same")
    found = [api.get(f"/v1/games/{item['game']}").get_json()["place"] for item in answer["items"]]
    assert found == names


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp"])
def test_a_table_in_an_older_japanese_encoding_is_read(api: Api, encoding: str) -> None:
    text = "日付,ゲーム,プレイヤー,得点\n2024年1月2日,ウノ,愛子,30\n2024年1月2日,ウノ,健,480\n"
    answer = bring(api, text.encode(encoding))
    assert whats(answer) == ["new"]
    assert [person["name"] for person in answer["people"]] == ["愛子", "健"]
    assert answer["items"][0]["name"] == "ウノ"


@cases("encoding", ["cp1252", "cp932", "euc_jp"])
def test_a_table_as_spreadsheets_of_a_country_encode_it_keeps_its_letters(encoding: str) -> None:
    """Shift_JIS has signs for most pairs of a western letter and the next one: João was Jo縊."""
    western = ["João", "Björn", "Zoë", "Ñandú", "Œuvre", "Inês d’Ávila", "Garçon", "Jürgen", "Ågot Øye", "Größe", "São"]
    names = western if encoding == "cp1252" else ["愛子", "健", "タロウ", "ひなた", "ｱｲｺ", "碁打ち"]
    for some in (names, *([name] for name in names if name not in {"ｱｲｺ", "Œuvre"})):
        table = "game;player\n" + "".join(f"Go;{name}\n" for name in some)
        (play,) = (each.item() for each in CsvPlays(table.encode(encoding), {}))
        assert isinstance(play, IncomingPlay)
        assert [each.name for each in play.results] == some


def test_what_stands_before_the_heads_and_a_head_that_comes_twice_spoil_nothing() -> None:
    table = "\r\n;;\r\nsep=;\r\ngame;Game;player\r\nGo;Uno;Ada\r\n"
    (play,) = (each.item() for each in CsvPlays(table.encode(), {}))
    assert isinstance(play, IncomingPlay)
    assert (play.game, [each.name for each in play.results]) == ("Go", ["Ada"])
    for nothing in ("", "\ufeff", "\n\n", ";;\n"):
        with pytest.raises(BadFileError, match="the table is empty"):
            CsvPlays(nothing.encode(), {})


@cases(
    "heads",
    [
        "Player 1,Score 1,Won 1,Player 2,Score 2,Won 2,Player 3,Score 3,Won 3",
        "player1,player2,player3,score1,score2,score3,winner1,winner2,winner3",
        "Player #1 name,Player #1 score,Player #1 won,Player #2 name,Player #2 score,Player #2 won,"
        "Player #3 name,Player #3 score,Player #3 won",
        "P1,P1 score,P1 won,P2,P2 score,P2 won,P3,P3 score,P3 won",
        "Name 1,Name 2,Name 3,Points (1),Points (2),Points (3),1. won,2. won,3. won",
        "Player,Score,Won,Player,Score,Won,Player,Score,Won",
        "Player,Score,Won,Player.1,Score.1,Won.1,Player.2,Score.2,Won.2",
        "Spieler 1,Punkte 1,Sieger 1,Spieler 2,Punkte 2,Sieger 2,Spieler 3,Punkte 3,Sieger 3",
        "Joueur_1,Score_1,Gagné_1,Joueur_2,Score_2,Gagné_2,Joueur_3,Score_3,Gagné_3",
        "プレイヤー１,得点１,勝敗１,プレイヤー２,得点２,勝敗２,プレイヤー３,得点３,勝敗３",
    ],
)
def test_a_row_can_hold_a_whole_play(heads: str) -> None:
    """Three seats. The last stays empty in the first row, with a box that says no as spreadsheets write it."""
    by_seat, by_part = "Ada,7,yes,Bob,-3,no,,,FALSE", "Ada,Bob,,7,-3,,yes,no,FALSE"
    cells = by_part if heads.lower().startswith(("player1,player2", "name 1,name 2")) else by_seat
    table = f"Date,Game,{heads}\n2026-11-01,Go,{cells}\n2026-11-01,Go,{cells}\n"
    plays = [each.item() for each in CsvPlays(table.encode(), {})]
    for play in plays:
        assert isinstance(play, IncomingPlay)
        assert [(one.name, one.points, one.won) for one in play.results] == [("Ada", 7, True), ("Bob", -3, False)]
    assert len({play.key for play in plays}) == 2


@cases(
    ("cell", "won"),
    [
        ("Bob", [False, True, False]),
        ("ＢＯＢ", [False, True, False]),
        ("Ada & Bob", [True, True, False]),
        ("Bob, Eve and Ada", [True, True, True]),
        ("", [None, None, None]),
        ("Mallory", "won: 'Mallory' is not a player of this play"),
        ("yes", "won: 'yes' is not a player of this play"),
    ],
)
def test_one_column_can_name_who_has_won(cell: str, won: list[bool | None] | str) -> None:
    table = f"game;player 1;player 2;player 3;winner\nGo;Ada;Bob;Eve;{cell}\n"
    (play,) = (each.item() for each in CsvPlays(table.encode(), {}))
    assert ([one.won for one in play.results] if isinstance(play, IncomingPlay) else play.why) == won
    rows = "".join(f"Go;{name};{cell}\n" for name in ("Ada", "Bob", "Eve"))
    (play,) = (each.item() for each in CsvPlays(f"game;player;winner\n{rows}".encode(), {}))
    if isinstance(won, list) and cell:
        assert isinstance(play, IncomingPlay)
        assert [one.won for one in play.results] == won


def test_a_wide_table_can_be_shown_named_and_imported_again(api: Api) -> None:
    table = (
        b"ID,When,Title,Score,Player 1,Score 1,Player 2,Score 2,Comment 1\n"
        b"7,2026-11-01,Go,27:34,Ada,27,Bob,34,close\n"
        b"8,2026-11-02,Go,,,,,,\n"
        b"7,2026-11-03,Go,,Ada,1,Bob,2,\n"
    )
    answer = bring(api, table, "?columns=date=When,comment=Comment 1")
    named = {"play": "ID", "game": "Title", "player": "Player 1", "date": "When", "comment": "Comment 1"}
    assert answer["columns"] == named | {"points": "Score 1"}
    assert [(item["what"], item.get("why")) for item in answer["items"]] == [
        ("new", None),
        ("refused", "player: the row names nobody"),
        ("refused", "this play is in the file twice, with the same id"),
    ]
    game = api.get(f"/v1/games/{answer['items'][0]['game']}").get_json()
    assert game["scores"] == [27, 34]
    again = bring(api, table, "?columns=" + ",".join(f"{part}={head}" for part, head in answer["columns"].items()))
    assert whats(again) == ["same", "refused", "refused"]
    one = table.replace(b"Score 1", b"x").replace(b"Score 2", b"y")
    assert "points" not in bring(api, one, "?dry_run=true")["columns"], "it cannot be said of which player it is"
    refused = bring(api, one, "?columns=points=Score", status=400)["detail"]
    assert "columns: 'Score' does not say the number of its player" in refused


@pytest.mark.parametrize("empty", ["", "0", "0,00", "-", "–", "#N/A"])
def test_a_seat_without_a_name_and_with_no_points_but_zero_is_empty(empty: str) -> None:
    heads = "game;player 1;points 1;rank 1;player 2;points 2;rank 2;player 3;points 3;rank 3"
    rows = (f"Ada;5;1;Bob;0;2;;{empty};0", f"Ada;1;;;-2;;;{empty};", f";{empty};;;;2;;{empty};", f";{empty};0;;;;;;")
    table = f"{heads}\n" + "".join(f"Go;{row}\n" for row in rows)
    two, guest, placed, none = (each.item() for each in CsvPlays(table.encode(), {}))
    assert isinstance(two, IncomingPlay)
    assert isinstance(guest, IncomingPlay)
    assert isinstance(placed, IncomingPlay)
    assert [(one.name, one.points, one.rank) for one in two.results] == [("Ada", 5, 1), ("Bob", 0, 2)]
    assert [(one.name, one.points) for one in guest.results] == [("Ada", 1), (None, -2)]
    assert [(one.name, one.rank) for one in placed.results] == [(None, 2)]
    assert not isinstance(none, IncomingPlay)
    assert none.why == "player: the row names nobody"


OF_PEOPLE = """Date,Game,Minutes,Ada,Bob / Eve,ゆき
2026-11-01,Go,30,27,34,
2026-11-02,Uno,20,0,-,'-3
2026-11-03,Uno,,,,
2026-11-04,Uno,5,x,1,#N/A
"""


def test_each_person_can_have_a_column(api: Api) -> None:
    refused = bring(api, OF_PEOPLE.encode(), status=400)["detail"]
    assert "no column says the player" in refused
    assert "If each person has a column of points, name these: player=Minutes/Bob / Eve/ゆき" in refused
    answer = bring(api, OF_PEOPLE.encode(), "?columns=player=Ada/Bob / Eve/ゆき")
    assert answer["columns"] == {"game": "Game", "date": "Date", "player": "Ada/Bob / Eve/ゆき"}
    assert [person["name"] for person in answer["people"]] == ["Ada", "Bob / Eve", "ゆき"]
    assert [(item["what"], item.get("why")) for item in answer["items"]] == [
        ("new", None),
        ("new", None),
        ("refused", "player: the row names nobody"),
        ("new", None),
    ]
    first, second = (api.get(f"/v1/games/{item['game']}").get_json() for item in answer["items"][:2])
    assert (first["scores"], second["scores"]) == ([27, 34], [0, -3])
    again = bring(api, OF_PEOPLE.encode(), f"?columns=player={answer['columns']['player']}")
    assert whats(again) == ["same", "same", "refused", "same"]


def test_columns_of_people_are_known_by_those_who_have_won() -> None:
    table = 'Date,Game,Ada,Bob,Winner\n2026-11-01,Go,5,3,ada\n2026-11-01,Go,1,"3,5",Bob\n2026-11-02,Go,2,2,Bob & Ada\n'
    found = CsvPlays(table.encode(), {})
    assert found.columns["player"] == "Ada/Bob"
    plays = [each.item() for each in found]
    assert len({play.key for play in plays}) == 3
    for play, won in zip(plays, [(True, False), (False, True), (True, True)], strict=True):
        assert isinstance(play, IncomingPlay)
        assert [(one.name, one.won) for one in play.results] == [("Ada", won[0]), ("Bob", won[1])]
    for other in (table.replace(",Bob,Winner", ",Minutes,Winner"), table.replace("Bob & Ada", "Ada & Eve")):
        with pytest.raises(BadFileError, match="If each person has a column of points"):
            CsvPlays(other.encode(), {})


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"player": "Ada/Eve"}, "no column is called 'Ada/Eve'"),
        ({"player": "Ada/Ada"}, "'Ada' is there twice"),
        ({"player": "Ada/"}, "no column is called 'Ada/'"),
        ({"player": "/"}, "no column is called '/'"),
        ({"player": "Bob/Ada"}, "'Bob' is there twice"),
        ({"player": "Ada/Cleo", "points": "Bob"}, "points: each person has a column"),
        ({"player": "Ada/Cleo", "game": "Ada/Bob"}, "no column is called 'Ada/Bob'"),
        ({"player": "Ada/Game"}, "no column says the game"),
    ],
)
def test_columns_of_people_that_are_named_badly_are_refused(columns: dict[str, str], why: str) -> None:
    with pytest.raises(BadFileError, match=why):
        CsvPlays(b"Game,Ada,Bob,Cleo,Bob\nGo,1,2,3,4\n", columns)


def test_many_players_in_few_rows_are_as_many_as_in_rows_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_plays, "MOST_ROWS", 60)
    heads = ",".join(f"player {number},score {number}" for number in range(1, 16))
    table = f"game,{heads}\n" + f"Go{',A,1' * 15}\n" * 4 + f"Go{',,' * 15}\n"
    with pytest.raises(BadFileError, match="more than 60 rows"):
        list(CsvPlays(table.encode(), {}))
    assert len(list(CsvPlays(table.removesuffix(f"Go{',,' * 15}\n").encode(), {}))) == 4


def test_columns_can_be_named(api: Api) -> None:
    text = b"What,Who,How many\nAzul,Ada,3\n"
    assert "no column says" in bring(api, text, status=400)["detail"]
    assert whats(bring(api, text, "?columns=game=What,player=Who,points=How many")) == ["new"]
    assert "no column is called" in bring(api, text, "?columns=game=Which", status=400)["detail"]
    commas = b'"Game, edition","Who, exactly"\nGo,Ada\n'
    assert whats(bring(api, commas, "?columns=game=Game, edition,player=Who, exactly")) == ["new"]
    assert "there is no winner" in bring(api, text, "?columns=winner=Who", status=400)["detail"]


def test_an_export_of_plays_comes_back_as_the_same_plays(api: Api) -> None:
    bring(api, backup(play("U1", 1, score(1, "71", winner=True, rank=1), score(2, "64", rank=2))))
    written = api.get("/v1/exports/bgstats.json").data
    (found,) = (each.item() for each in bgstats.read(written))
    assert isinstance(found, IncomingPlay)
    assert (found.game, found.place, found.played_at) == ("Azul", "Porto", "2023-09-16T19:30:00Z")
    assert [(result.name, result.points, result.won) for result in found.results] == [
        ("Ada", 71, True),
        ("Björn", 64, False),
    ]


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_plays_or_a_clear_refusal(content: bytes) -> None:
    for read in (bgstats.read, bgg.read, lambda sent: CsvPlays(sent, {})):
        try:
            items = [each.item() for each in read(content)]
        except BadFileError:
            continue
        assert all(item.key or getattr(item, "why", "") for item in items)


FIELDS = ["uuid", "id", "name", "gameRefId", "playerScores", "playerRefId", "score", "rank", "playDate"]
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6)
)


@given(ANYTHING)
@pytest.mark.slow
def test_a_backup_of_any_form_is_plays_or_refusals(found: Any) -> None:
    assert all(play.item() for play in bgstats.read(backup(found, found, players=found, games=found)))


@cases(
    ("text", "value"),
    [
        *(("7", 7), (" -3 ", -3), ("+4", 4), ("7,5", 7.5), ("1.25", 1.25), ("49-46ish", None), ("", None)),
        *(("1e9", None), ("1,234", 1234), ("1.234", 1234), ("1.234,5", 1234.5), ("1'000", 1000), ("0.125", 0.125)),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: float | None) -> None:
    assert parse_points(text) == value


@cases(
    ("text", "moment"),
    [
        ("2023-09-16 19:30:00", "2023-09-16T19:30:00Z"),
        ("2023-09-16", "2023-09-16T12:00:00Z"),
        ("16.09.2023", "2023-09-16T12:00:00Z"),
        ("2023/9/16", "2023-09-16T12:00:00Z"),
        ("20230916", "2023-09-16T12:00:00Z"),
        ("2023年9月16日", "2023-09-16T12:00:00Z"),
        ("2023-09-16T19:30:00+02:00", "2023-09-16T17:30:00Z"),
        ("2023-09-16 19.30", "2023-09-16T19:30:00Z"),
        ("2023-09-16T1930+0200", "2023-09-16T17:30:00Z"),
        ("2023-09-16T19", "2023-09-16T19:00:00Z"),
        ("2023-09-16 19:30:05.5", "2023-09-16T19:30:05Z"),
        ("0000-00-00", None),
        ("", None),
    ],
)
def test_days_are_read_in_all_forms(text: str, moment: str | None) -> None:
    assert parse_moment(text) == moment


@cases("text", ["yesterday", "2023-13-40", "1066-10-14", "9999-12-31", "1/31/2999", "令和99年1月1日"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(BadPlayError, match="date"):
        parse_moment(text)


@cases(
    ("text", "moment"),
    [
        ("16/09/2023", "2023-09-16T12:00:00Z"),
        ("9/16/23", "2023-09-16T12:00:00Z"),
        ("16-09-2023", "2023-09-16T12:00:00Z"),
        ("9/9/2023", "2023-09-09T12:00:00Z"),
        ("9/16/2023 7:30 PM", "2023-09-16T19:30:00Z"),
        ("16/09/2023 19:30", "2023-09-16T19:30:00Z"),
        ("１６／０９／２０２３", "2023-09-16T12:00:00Z"),
        ("16 Sep 2023", "2023-09-16T12:00:00Z"),
        ("September 16, 2023", "2023-09-16T12:00:00Z"),
        ("16. September 2023", "2023-09-16T12:00:00Z"),
        ("1. März 2023", "2023-03-01T12:00:00Z"),
        ("1er août 2023", "2023-08-01T12:00:00Z"),
        ("16 févr. 2023", "2023-02-16T12:00:00Z"),
        ("16 de septiembre de 2023", "2023-09-16T12:00:00Z"),
        ("16 de março de 2023 19:30", "2023-03-16T19:30:00Z"),
        ("16 settembre 2023", "2023-09-16T12:00:00Z"),
        ("16 mei 2023, 19:30", "2023-05-16T19:30:00Z"),
        ("令和5年9月16日", "2023-09-16T12:00:00Z"),
        ("令和元年5月1日", "2019-05-01T12:00:00Z"),
        ("平成31年4月30日", "2019-04-30T12:00:00Z"),
        ("R5.9.16", "2023-09-16T12:00:00Z"),
        ("2023年9月16日(土) 19時30分", "2023-09-16T19:30:00Z"),
        ("2023. 9. 16.", "2023-09-16T12:00:00Z"),
        ("16.09.23", "2023-09-16T12:00:00Z"),
        ("16. 9. 2023, 19:30 Uhr", "2023-09-16T19:30:00Z"),
        ("16/09/2023, 19:30:05", "2023-09-16T19:30:05Z"),
        ("16-Sep-23", "2023-09-16T12:00:00Z"),
        ("1-Jan-70 12:05 AM", "1970-01-01T00:05:00Z"),
        ("2023-09-16 7:30 p.m.", "2023-09-16T19:30:00Z"),
        ("Saturday, September 16th, 2023", "2023-09-16T12:00:00Z"),
        ("Mar 16, 2023", "2023-03-16T12:00:00Z"),
        ("mar. 14/03/2023", "2023-03-14T12:00:00Z"),
        ("sexta-feira, 15 de set. de 2023", "2023-09-15T12:00:00Z"),
        ("samedi 16 septembre 2023 à 19h30", "2023-09-16T19:30:00Z"),
        ("2023-09-16 19:30:00 UTC", "2023-09-16T19:30:00Z"),
    ],
)
def test_days_are_read_as_people_of_many_countries_write_them(text: str, moment: str) -> None:
    assert parse_moment(text) == moment


@cases(
    "text",
    [
        "31/31/2023",
        "31. Februar 2023",
        "3 nonsense 2023",
        "3 mai 2023 25:00",
        "31/02/2023",
        "16/09/2023 25:00",
        "16/09/2023 7:30 XM",
        "令和5年13月1日",
        "9/16/2023 13:30 PM",
        "Funday, 16 Sep 2023",
        "16.9",
        "9" * 100_000,
    ],
)
def test_a_day_that_never_was_is_refused_in_every_form(text: str) -> None:
    with pytest.raises(BadPlayError, match="is not a day"):
        parse_moment(text)


def test_the_other_days_of_a_file_tell_whether_the_day_or_the_month_comes_first() -> None:
    with pytest.raises(BadPlayError, match="can be two days"):
        parse_moment("03/04/2023")
    assert parse_moment("03/04/2023", day_first=True) == "2023-04-03T12:00:00Z"
    assert parse_moment("03/04/2023", day_first=False) == "2023-03-04T12:00:00Z"
    assert day_first(["03/04/2023", "16/09/2023", ""]) is True
    assert day_first(["03/04/2023", "9/16/2023"]) is False
    assert day_first(["03/04/2023", "2023-09-16"]) is None
    assert day_first(["16/04/2023", "9/16/2023"]) is None
    rows = "date,game,player\n03/04/2023,Azul,Ada\n16/04/2023,Go,Ada\n"
    items = (play.item() for play in CsvPlays(rows.encode(), {}))
    days = [item.played_at for item in items if isinstance(item, IncomingPlay)]
    assert days == ["2023-04-03T12:00:00Z", "2023-04-16T12:00:00Z"]


def plays_in(table: str) -> list[Any]:
    return [play.item() for play in CsvPlays(table.encode(), {})]


def test_the_other_points_of_a_table_tell_what_stands_before_decimals() -> None:
    table = "game;player;score\nAzul;Ada;{}\nGo;Ada;1.234\n"
    points = {first: [item.results[0].points for item in plays_in(table.format(first))] for first in ("7,5", "7.5")}
    assert points == {"7,5": [Fraction("7.5"), 1234], "7.5": [Fraction("7.5"), Fraction("1.234")]}


def test_places_are_read_as_people_write_them() -> None:
    for told in ("2", "2.", "2nd", "2º", "2位", "２", "#2"):
        assert [item.results[0].rank for item in plays_in(f"game,player,rank\nAzul,Ada,{told}\n")] == [2], told
    (last,) = plays_in("game,player,rank\nAzul,Ada,last of all\n")
    assert (last.results[0].rank, last.results[0].more) == (None, "last of all")


def test_a_separator_is_known_by_its_line_and_not_by_what_stands_in_quotes() -> None:
    for head in ("sep=;\r\ngame;player", '"sep=|"\ngame|player', '"game";"player";"a, b, c, d"'):
        sign = "|" if "|" in head else ";"
        assert [item.game for item in plays_in(f"{head}\nAzul{sign}Ada\n")] == ["Azul"], head


def test_a_quotation_mark_that_is_never_closed_swallows_no_plays() -> None:
    """The rest of the file would be one cell, and a play of nobody."""
    for before, line in (("", 3), ("sep=,\n", 4)):
        with pytest.raises(BadFileError, match=f"a quotation mark in the row of line {line} is never closed"):
            plays_in(f'{before}game,player\nGo,Ada\n"Azul,Ada\nChess,Ada\n')


BROKEN_FILES = [
    (b'game,player\nGo,Ada\n"Azul,Ada\n', 3),
    (b"game,player\nGo,Ada\nAzul,\x81\x00\n", 3),
    (b'{"plays": [\n{"uuid": "1"},\n', 3),
    (b'{"plays": [\n"\xff"]}', 2),
    (b'<plays>\n<play id="1">\n</plays>\n', 3),
]
"""Files that cannot be read, and the line with the error."""


@cases(("content", "line"), BROKEN_FILES)
def test_a_file_that_cannot_be_read_names_its_line_in_a_member(shared: Api, content: bytes, line: int) -> None:
    answer = shared.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    assert (answer.status_code, answer.get_json()["line"]) == (400, line), answer.get_json()


def test_a_file_without_a_line_to_blame_has_no_member_for_it(shared: Api) -> None:
    answer = shared.post("/v1/imports/plays", data=b"", content_type="application/octet-stream")
    assert answer.status_code == 400
    assert "line" not in answer.get_json()


def send(api: Api, content: bytes, **form: str) -> Any:
    file = (io.BytesIO(content), "plays.csv")
    return api.post("/import", data={"file": file, **form}, content_type="multipart/form-data")


def test_the_page_tries_a_file_and_then_imports_it(api: Api) -> None:
    assert "Import plays" in api.get("/import").text
    tried = send(api, TABLE.encode(), step="try")
    assert "2 new, 0 changed, 0 as before, 0 refused." in tried.text
    assert 'value="Spieler"' in tried.text, "the columns that were guessed can be corrected"
    assert "new here" in tried.text
    assert api.get("/v1/games").get_json()["games"] == []
    done = send(api, TABLE.encode(), step="import", people="known", **{"column-player": "Spieler"})
    assert "2 new" in done.text
    api.catch_up()
    assert len(api.get("/v1/games").get_json()["games"]) == 2
    assert "0 new, 0 changed, 2 as before" in send(api, TABLE.encode(), step="import").text


def test_the_page_says_what_is_wrong_with_a_file(api: Api) -> None:
    refused = send(api, b"a,b\n1,2\n", step="import")
    assert (refused.status_code, "No column says the game or the player" in refused.text) == (400, True)
    people = send(api, OF_PEOPLE.encode(), step="try", **{"column-date": "Date"})
    assert "player=Minutes/Bob / Eve" in people.text
    assert 'name="column-player"' in people.text, "the columns can be named here"
    assert 'value="Date"' in people.text
    none = api.post("/import", data={"step": "try"}, content_type="multipart/form-data")
    assert (none.status_code, "Choose a file first." in none.text) == (400, True)
    assert send(api, TABLE.encode(), step="try", after="x").status_code == 400
    japanese = send(api, b"a,b\n1,2\n", step="try")
    assert japanese.status_code == 400
    assert api.let_in("viewer").get("/import").status_code == 403


def test_the_page_says_how_plays_of_boardgamegeek_get_here_by_its_file_or_by_a_command(api: Api) -> None:
    page = api.get("/import").text
    assert "kifu import-plays --bgg NAME" in page
    assert f'href="{bgg.REGISTER}"' in page
    assert "<bdi>Wingspan</bdi>" in send(api, XML.encode(), step="try").text
    refused = send(api, b'<?xml version="1.0"?><error status="401">Unauthorized</error>', step="try").text
    assert "Plays of BoardGameGeek begin with &lt;plays&gt;, not &lt;error&gt;" in refused
    assert "column-player" not in refused, "it is no table, so it has no columns to name"


# What is odd in one play


def backup_text(score: str) -> bytes:
    """A backup with two plays: one that is sound, and one with this score."""
    players = '[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]'
    play = (
        '{{"uuid": "{}", "gameRefId": 1, "playDate": "2026-01-02 03:04:05", "playerScores":'
        ' [{{"playerRefId": 1, "score": {}}}, {{"playerRefId": 2, "score": "1"}}]}}'
    )
    plays = ", ".join([play.format("sound", '"3"'), play.format("odd", score)])
    return f'{{"players": {players}, "games": [{{"id": 1, "name": "Azul"}}], "plays": [{plays}]}}'.encode()


@pytest.mark.parametrize("score", ["1e400", "1" * 5000, "-1e999", '"\\ud800"', '"\\udc00\\ud800 7"', "NaN", "7", "2.5"])
def test_an_odd_number_or_half_a_letter_spoils_no_other_play(api: Api, score: str) -> None:
    answer = api.post("/v1/imports/plays", data=backup_text(score), content_type="application/octet-stream")
    assert answer.status_code == 200, answer.text
    found = {item["key"]: item["what"] for item in answer.get_json()["items"]}
    assert found["sound"] == "new"
    assert found["odd"] in {"new", "refused"}
    api.catch_up()
    for file in ("tables.ndjson", "tables.xlsx", "records.txt", "bgstats.json"):
        assert api.get(f"/v1/exports/{file}").status_code == 200


@pytest.mark.parametrize(
    ("sound", "twice"),
    [
        (b'"odd"', b'"odd", "gameRefId": 2'),
        (b'"score": "2"', b'"score": "2", "sc\\u006fre": "9"'),
        (b'"Cid"', b'"Cid", "name": "Dan"'),
        (b'"Go"', b'"Go", "name": "Chess"'),
    ],
)
def test_a_key_that_stands_twice_spoils_no_other_play(api: Api, sound: bytes, twice: bytes) -> None:
    content = backup_text('"2"').replace(b'"name": "Azul"}', b'"name": "Azul"}, {"id": 2, "name": "Go"}')
    content = content.replace(b'"name": "Bob"}', b'"name": "Bob"}, {"id": 3, "name": "Cid"}')
    odd = content[content.index(b'{"uuid": "odd"') :]
    own = odd.replace(b'"gameRefId": 1', b'"gameRefId": 2').replace(b'"playerRefId": 1', b'"playerRefId": 3')
    content = content.replace(odd, own)
    assert whats(bring(api, content, "?dry_run=true")) == ["new", "new"]
    assert content.count(sound) == 1
    items = bring(api, content.replace(sound, twice))["items"]
    assert [item["what"] for item in items] == ["new", "refused"]
    assert items[1]["why"].endswith("this key is in one object twice")


def test_a_nul_in_a_table_spoils_nothing(api: Api) -> None:
    rows = "".join(f"{number},Azul,Ada,Porto {number}\n" for number in range(10))
    content = f"play,game,player,place\n{rows}x,Azul,A\0da,\n".encode()
    answer = bring(api, content)
    assert whats(answer) == ["new"] * 11
    assert [each["name"] for each in answer["people"]] == ["Ada", "A da"]


def test_half_a_letter_in_the_id_of_a_play_is_no_fault(api: Api) -> None:
    content = backup_text('"1"').replace(b'"odd"', b'"\\ud800"')
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    assert [item["what"] for item in answer.get_json()["items"]] == ["new", "new"]


def test_an_id_with_a_control_character_is_refused_alone_and_named(api: Api) -> None:
    content = backup_text('"1"').replace(b'"odd"', b'"o\\u0000d\\u001bd"')
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    sound, odd = answer.get_json()["items"]
    assert (sound["what"], odd["what"], odd["key"]) == ("new", "refused", "o d d")
    assert odd["why"] == "id: it has a character that cannot be printed"


def test_an_endless_id_is_refused_alone_and_named(api: Api) -> None:
    content = backup_text('"1"').replace(b'"odd"', b'"' + b"u" * 100_000 + b'"')
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    sound, odd = answer.get_json()["items"]
    assert (sound["what"], odd["what"]) == ("new", "refused")
    assert odd["why"].startswith("id:")
    assert len(answer.data) < 5_000


@pytest.mark.parametrize("head", ["game", "player", "place", "comment", "date"])
def test_an_endless_cell_of_a_table_spoils_no_other_play(api: Api, head: str) -> None:
    cells = {"game": "Uno", "player": "Ada", "place": "", "comment": "", "date": ""}
    rows = [cells | {head: "x" * 200_000}, cells | {"game": "Azul"}]
    content = "\n".join(",".join(row) for row in (cells, *(row.values() for row in rows))).encode()
    odd, sound = bring(api, content)["items"]
    assert odd["what"] == ("refused" if head == "date" else "new"), "names and comments end where they are too long"
    assert sound["what"] == "new"


@cases(
    ("more", "why"),
    [
        ({"players": [*PLAYERS, PLAYERS[0]]}, None),
        ({"players": [*PLAYERS, {"id": 1, "name": "Zed"}]}, "playerRefId"),
        ({"players": [{"name": "Ada"}], "plays": [play("U1", 1, {"score": "71"})]}, "playerRefId"),
        ({"games": [{"name": "Azul"}], "plays": [play("U1", 1, score(1, "71"), gameRefId=None)]}, "gameRefId"),
    ],
)
def test_nobody_is_taken_for_another_one_where_numbers_are_missing_or_doubled(
    more: dict[str, Any], why: str | None
) -> None:
    (item,) = (each.item() for each in bgstats.read(backup(play("U1", 1, score(1, "71")), **more)))
    assert getattr(item, "why", "").startswith(why) if why else isinstance(item, IncomingPlay)


def test_what_has_the_number_0_is_known() -> None:
    """Programs that make such files count from 0 as well."""
    more = {
        "players": [{"id": 0, "name": "Ada"}],
        "games": [{"id": 0, "name": "Azul"}],
        "locations": [{"id": 0, "name": "Porto"}],
    }
    told = play("U1", 0, score(0, "71"), locationRefId=0)
    (item,) = (each.item() for each in bgstats.read(backup(told, **more)))
    assert isinstance(item, IncomingPlay)
    assert (item.game, item.place, [each.name for each in item.results]) == ("Azul", "Porto", ["Ada"])


def test_a_backup_in_utf16_is_read(api: Api) -> None:
    content = backup_text('"1"').decode().encode("utf-16")
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    assert [item["what"] for item in answer.get_json()["items"]] == ["new", "new"]


@pytest.mark.parametrize("encoding", ["Shift_JIS", "EUC-JP", "windows-31j", "UTF-8"])
def test_xml_in_japanese_encodings_is_read(api: Api, encoding: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?><plays><play id="1" date="2026-01-02">'
        '<item name="将棋" objectid="2065"/><players><player name="愛子" score="1" win="1"/>'
        '<player name="太郎" score="0" win="0"/></players></play></plays>'
    )
    content = text.encode("cp932" if encoding == "windows-31j" else encoding)
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    (item,) = answer.get_json()["items"]
    assert (item["what"], item["name"]) == ("new", "将棋")


@pytest.mark.parametrize("named", ["utf-16", "UTF-16", "utf-16le", "utf-16-be"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-8", "utf-8-sig"])
def test_xml_that_says_utf16_is_read(api: Api, named: str, encoding: str) -> None:
    """Some programs write down the encoding of their memory, and the file in another one."""
    content = f'<?xml version="1.0" encoding="{named}"?>{_PLAY}'.encode(encoding)
    (item,) = bring(api, content, "?dry_run=true")["items"]
    assert (item["what"], item["name"]) == ("new", "囲碁")


@pytest.mark.parametrize("named", ["ISO-8859-1", "windows-1252", "Shift_JIS", "US-ASCII", "klingon", "base64"])
def test_xml_in_utf8_is_read_as_such_even_if_it_says_something_else(api: Api, named: str) -> None:
    content = f'<?xml version="1.0" encoding="{named}"?>{_PLAY}'.encode()
    (item,) = bring(api, content, "?dry_run=true")["items"]
    assert (item["what"], item["name"]) == ("new", "囲碁")


@pytest.mark.parametrize("named", ["ISO-8859-1", "windows-1252"])
def test_xml_in_a_western_encoding_is_read(api: Api, named: str) -> None:
    content = f'<?xml version="1.0" encoding="{named}"?>{_PLAY.replace("囲碁", "Café")}'.replace("愛", "Zoë")
    (item,) = bring(api, content.encode("cp1252"), "?dry_run=true")["items"]
    assert (item["what"], item["name"]) == ("new", "Café")


_PLAY = '<plays><play id="1" date="2026-01-02"><item name="囲碁"/><players><player name="愛"/></players></play></plays>'


def test_plays_in_plays_are_no_plays_of_their_own_and_take_no_time(api: Api) -> None:
    """Each would have all players of those in it: the time would grow with the square of the file."""
    begun = '<play id="1" date="2026-01-02"><item name="Go"/><players><player name="Ada"/></players>' * 20_000
    started = time.process_time()
    answer = bring(api, f"<plays>{begun}{'</play>' * 20_000}</plays>".encode(), "?dry_run=true")
    assert time.process_time() - started < 20
    assert [(item["what"], item["name"]) for item in answer["items"]] == [("new", "Go")]
    assert [each["name"] for each in answer["people"]] == ["Ada"]


def test_a_play_with_more_players_than_seats_is_refused_before_they_are_read(api: Api) -> None:
    players = "<player name='Ada'/>" * 21
    xml = f'<plays><play id="1" date="2026-01-02"><item name="Go"/><players>{players}</players></play></plays>'
    many = {"plays": [{"uuid": "1", "gameRefId": 1, "playDate": "2026-01-02 10:00:00", "playerScores": [{}] * 21}]}
    for content in (xml, json.dumps(many | {"games": [{"id": 1, "name": "Go"}]})):
        answer = bring(api, content.encode(), "?dry_run=true")
        assert [item["why"] for item in answer["items"]] == ["players: a game has 20 seats at most, not 21"]
        assert answer["people"] == []


def test_xml_that_is_not_in_the_encoding_that_it_names_is_refused(api: Api) -> None:
    content = b'<?xml version="1.0" encoding="Shift_JIS"?><plays>\x81</plays>'
    answer = api.post("/v1/imports/plays", data=content, content_type="application/octet-stream")
    assert answer.status_code == 400
    assert "it is not XML" in answer.get_json()["detail"]


@cases(("text", "value"), [("１２", 12), ("\N{MINUS SIGN}3", -3), ("－７", -7), ("+５", 5)])
def test_wide_digits_and_the_minus_of_typesetters_are_numbers(text: str, value: int) -> None:
    assert parse_points(text) == value


def test_wide_digits_are_a_day() -> None:
    assert parse_moment("２０２６-０１-０２") == "2026-01-02T12:00:00Z"
