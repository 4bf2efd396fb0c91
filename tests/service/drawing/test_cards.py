"""Cards: what chats and sites show of a link to a game."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from games.contract import PUBLIC
from projections.analyses.game_replay import replay_of
from service.api.routes.games import seats_in
from service.drawing import painter, pictures
from service.pages import cards, curves
from service.pages.curves import curve_of
from tests import goldens
from tests.service.drawing.test_pictures import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.fold import Fold
    from projections.folds import Folds
    from tests.service.conftest import Api

pytestmark = [pytest.mark.programs, pytest.mark.service("file")]

NAMES = (
    "Bo",
    "Maximiliane-Charlotte von Hohenzollern X",
    "田中愛子" * 10,
    "Александра Константинопольская-Иванова Ш",
    "محمد عبد الرحمن الأنصاري بن يوسف الكبير",
    "Ζωή Παπαδοπούλου-Αναγνωστοπούλου",
)
"""From one letter to forty, in scripts that run either way."""


def meta(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z:]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def stranger(api: Api, address: str) -> bytes:
    answer = Client(api.app, use_cookies=False).get(address)
    assert answer.status_code == 200, answer.text
    return answer.data


def linked(api: Api, game: str, **body: object) -> str:
    return str(api.post(f"/v1/games/{game}/links", body).get_json()["path"])


def curve_lines(picture: str) -> list[list[tuple[float, float]]]:
    """The corners of each line of the curve on a card."""
    found = []
    for path in re.findall(r'<path class="curve" d="M([^"]*)"', picture):
        start, *steps = path.split("H")
        (x, y) = start.split()
        corners = [(x, y), *(step.split("V") for step in steps)]
        found.append([(float(x), float(y)) for x, y in corners])
    return found


def board_end(picture: str) -> float:
    """The y of the lower edge of the board on a card."""
    (tall,) = re.findall(rf'<svg x="30" y="30" width="{cards._BOARD}" height="(\d+)"', picture)
    return float(cards._EDGE + int(tall))


def imported(api: Api, name: str) -> str:
    sent = (goldens.FOLDER / f"{name}.txt").read_bytes()
    return str(api.post("/v1/imports", data=sent, headers={"Content-Type": "text/plain"}).get_json()["game"])


def curve(api: Api, game: str) -> list[tuple[int, list[int]]]:
    folds = api.app.context.archive.folds
    return [(place, points) for place, points in curve_of(folds, folds.current(game))]


def public_changes(api: Api, game: str) -> list[tuple[int, list[int]]]:
    """Each change of the scores that the page of a game shows to everybody, and its last entry."""
    entries = api.get(f"/v1/games/{game}/timeline?seat=public&limit=1000").get_json()["entries"]
    found: list[tuple[int, list[int]]] = []
    for entry in sorted(entries, key=lambda entry: entry["place"]):
        if entry["scores"] and (not found or found[-1][1] != entry["scores"]):
            found.append((entry["place"], entry["scores"]))
    return [*found, (len(entries), found[-1][1])]


CURVES = ["kahuna/points", "verraeter/ruled", "manapani/two_players", "catan_cards/shortest", "scoresheet/uno"]


@pytest.mark.parametrize("name", CURVES)
def test_the_card_of_a_finished_game_has_the_curve_of_its_page(api: Api, name: str) -> None:
    game = imported(api, name)
    found = curve(api, game)
    assert found == public_changes(api, game)
    folds = api.app.context.archive.folds
    fold = folds.current(game)
    seen = replay_of(folds, game, fold.version, PUBLIC).steps
    assert [step.scores for step in seen][-1] == found[-1][1]
    assert {(*step.scores,) for step in seen} <= {(*points,) for _, points in found}, "nothing hidden is in it"
    with api.app.site.test_request_context(environ_overrides=api.app.carried):
        bare = cards.picture(fold, fold.ruleset, seats_in(fold))
        lined = cards.picture(fold, fold.ruleset, seats_in(fold), curve_of(folds, fold))
    assert curve_lines(bare) == []
    lines = curve_lines(lined)
    assert [len(line) for line in lines] == [len(found)] * fold.seats
    lowest = [line[-1][1] for line in lines]
    assert sorted(range(fold.seats), key=lambda seat: -lowest[seat]) == sorted(
        range(fold.seats), key=lambda seat: found[-1][1][seat]
    )
    for seat in range(fold.seats):
        assert lined.count(curves.style(seat)) == 2, "a line of the curve, and one below the name"
    api.show(game)
    asked = stranger(api, f"/games/{game}/card.png")
    assert asked == pictures.png(lined, cards.WIDTH)


def test_a_game_that_goes_on_and_one_with_a_single_result_have_no_curve(api: Api) -> None:
    assert curve(api, api.play("a-h", "-", "b-d")) == []
    seats = [{"name": "Lisa"}, {"name": "Tom"}]
    game = api.open(ruleset="scoresheet", options={"template": "go"}, seats=seats)
    api.record(game, "territory 40 38")
    assert api.record(game, "end").status_code == 201
    assert curve(api, game) == []
    assert curve(api, imported(api, "scoresheet/chess")) == []
    assert curve(api, imported(api, "scoresheet/cooperative")) == []


def test_a_game_is_replayed_once_for_its_card_and_again_after_a_correction(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[str] = []
    replay = curves._replayed

    def counted(folds: Folds, fold: Fold) -> Iterator[curves.Scores]:
        replayed.append(fold.hash)
        return replay(folds, fold)

    monkeypatch.setattr(curves, "_replayed", counted)
    game = imported(api, "scoresheet/uno")
    first = curve(api, game)
    assert curve(api, game) == first
    assert len(replayed) == 1
    corrected = {"id": str(uuid7()), "type": "entry.replaced", "data": {"entry": 3, "move": "r1 130 0 0"}}
    answer = api.post(f"/v1/games/{game}/events", {"events": [corrected]})
    assert answer.status_code == 201, answer.text
    assert curve(api, game) == public_changes(api, game) != first
    assert len(replayed) == 2


def test_a_long_game_is_not_replayed_for_its_card(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = imported(api, "kahuna/points")
    version = api.app.context.archive.folds.current(game).version
    monkeypatch.setattr(curves, "LONG", version - 1)
    assert curve(api, game) == []
    monkeypatch.setattr(curves, "LONG", version)
    assert curve(api, game) != []


def test_the_lines_of_seats_differ_and_have_the_colours_of_the_pages() -> None:
    style = (Path(curves.__file__).parent / "static" / "style" / "light.css").read_text(encoding="utf-8")
    pages = re.findall(r"--line-\d: (#[0-9a-f]{6});", style)
    assert [colour for colour, _ in curves.FORMS][: len(pages)] == pages
    for part in zip(*curves.FORMS, strict=True):
        assert len(set(part)) == 8


@pytest.mark.parametrize("level", ["link", "public"])
def test_a_game_that_strangers_may_see_has_a_card(api: Api, level: str) -> None:
    seats = [{"name": '髙橋 <"さくら">'}, {"name": "Ben & Jo"}]
    game = api.open(title='By the "window" <b>', seats=seats)
    api.show(game, level)
    found = meta(stranger(api, f"/games/{game}").decode())
    assert found["og:title"] == 'By the "window" <b>'
    assert found["og:description"] == 'Kahuna: 髙橋 <"さくら"> 0, Ben & Jo 0'
    assert found["og:url"].endswith(f"/games/{game}")
    assert found["og:url"].startswith("http")
    assert found["og:image"] == f"{found['og:url']}/card.png"
    assert found["twitter:card"] == "summary_large_image"
    drawn = stranger(api, f"/games/{game}/card.png")
    assert size(drawn) == (cards.WIDTH, cards.HEIGHT)
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")


def test_names_that_are_read_from_the_right_do_not_take_the_points_of_others_along(api: Api) -> None:
    game = api.open(seats=[{"name": "مريم"}, {"name": "דוד 2"}])
    api.show(game)
    found = meta(stranger(api, f"/games/{game}").decode())
    assert found["og:description"] == "Kahuna: \u2068مريم\u2069 0, \u2068דוד 2\u2069 0"


def test_a_private_game_has_no_card(api: Api) -> None:
    game = api.open(title="Ours alone")
    assert meta(api.get(f"/games/{game}").text) == {}
    assert Client(api.app).get(f"/games/{game}/card.png").status_code == 404


@pytest.mark.parametrize("body", [{}, {"at": 2}, {"seat": "record"}])
def test_a_share_link_has_a_card_of_what_it_shows_though_the_game_is_private(api: Api, body: dict[str, object]) -> None:
    game = api.play("a-h", "-", "b-d")
    path = linked(api, game, **body)
    found = meta(stranger(api, path).decode())
    assert found["og:image"].endswith(f"{path}/card.png")
    assert game not in "".join(found.values()), "whoever is shown it learns of no other address"
    assert size(stranger(api, f"{path}/card.png")) == (1200, 630)
    now = stranger(api, f"{linked(api, game)}/card.png")
    assert (stranger(api, f"{path}/card.png") == now) == ("at" not in body)


@pytest.mark.parametrize("seat", ["public", "0", "record"])
def test_games_that_differ_in_hidden_things_have_the_same_card_for_every_link(api: Api, seat: str) -> None:
    one, other = (linked(api, api.play(*moves), seat=seat) for moves in (("+?lale", "-"), ("+?gola", "-")))
    assert (stranger(api, f"{one}/board.svg") == stranger(api, f"{other}/board.svg")) == (seat == "public")
    assert stranger(api, f"{one}/card.png") == stranger(api, f"{other}/card.png")
    found = [meta(stranger(api, path).decode()) for path in (one, other)]
    assert found[0]["og:description"] == found[1]["og:description"]


def test_a_link_that_was_revoked_has_no_card(api: Api) -> None:
    made = api.post(f"/v1/games/{(game := api.play())}/links", {}).get_json()
    api.request("DELETE", f"/v1/games/{game}/links/{made['info']['id']}")
    assert Client(api.app).get(f"{made['path']}/card.png").status_code == 404


@pytest.mark.parametrize("count", range(2, 9))
def test_a_card_is_legible_from_four_metres_and_no_name_reaches_its_points(api: Api, count: int) -> None:
    """On a screen of 40 inches, 498 mm high, letters are 20 mm high: 4% of the card. Capitals have 0.74 of the size."""
    seats = [{"name": name} for name in (NAMES * 2)[:count]]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats, title="Friday evening")
    for seat in range(count):
        api.record(game, f"r1 p{seat + 1} {1207 + 7 * seat}")
    assert api.record(game, "end").status_code == 201
    fold = api.app.context.archive.folds.current(game)
    with api.app.site.test_request_context(environ_overrides=api.app.carried):
        picture = cards.picture(fold, fold.ruleset, seats_in(fold), curve_of(api.app.context.archive.folds, fold))
    _, _, beside = picture.rpartition("</svg><")
    texts = [
        (float(x), float(y), int(size), "end" in more, unescape(words))
        for x, y, size, more, words in re.findall(
            r'<text x="(\d+)" y="(\d+)" font-size="(\d+)"([^>]*)>([^<]*)<', f"<{beside}"
        )
    ]
    points = [(y, size, words) for _, y, size, ends, words in texts if ends and words.isdigit()]
    assert [int(words) for _, _, words in points] == [1207 + 7 * seat for seat in range(count)]
    names = [text for text in texts if not text[3] and text[1] > 128 + cards._ROWS[0]]
    assert min(size for _, size, _ in points) * 0.74 >= 0.04 * cards.HEIGHT
    assert min(size for _, _, size, _, _ in names) * 0.74 >= 0.04 * cards.HEIGHT - 0.1
    widest = max(pictures.length(words) * size for _, size, words in points)
    for x, y, letters, _, words in names:
        assert x + pictures.length(words) * letters <= cards._RIGHT - widest, words
        assert 0 < y <= cards.HEIGHT
    assert len({y for _, y, _, _, _ in names}) == len(names)
    lines = curve_lines(picture)
    assert len(lines) == count
    for x, y in (point for line in lines for point in line):
        if x <= cards._EDGE + cards._BOARD:
            assert board_end(picture) < y <= cards.HEIGHT - cards._EDGE
        else:
            title = max(y for x, y, *_ in texts if y <= 128 + 56)
            assert title + 10 < y < min(y - size for _, y, size, _, _ in names)
            assert x <= cards._RIGHT


def test_letters_that_the_font_of_the_service_has_not_are_looked_for_in_others() -> None:
    assert all(map(painter.is_ours, "Zoë Ζωή Александра 髙橋 さくら ★ … 240"))
    assert not any(map(painter.is_ours, "محمد" + "สมชาย" + "김민수" + "们"))


def test_a_name_that_no_font_has_is_boxes_and_not_nothing() -> None:
    """Letters for private use are in no font; a mark on one is left out, and all others stay."""
    assert painter.with_boxes("<text>Aé\U000f0041\u0e31\U000f0042 王</text>")[6:].startswith("Aé□")
    assert painter.with_boxes("<text>\U000f0041\U000f0042 Zoë</text>") == "<text>□□ Zoë</text>"
    unknown = pictures.png(painter.LETTER.format(letter="\U000f0041"), 40)
    assert unknown == pictures.png(painter.LETTER.format(letter="□"), 40)


def test_a_card_of_a_score_sheet_goes_by_the_name_of_its_game(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "uno"}, seats=[{"name": "Lisa"}, {"name": "Tom"}])
    api.show(game)
    found = meta(stranger(api, f"/games/{game}").decode())
    assert found["og:title"] == "UNO"
    assert found["og:description"] == "UNO: Lisa 0, Tom 0"


def test_a_card_shows_what_decides_beside_the_points(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "go"}, seats=[{"name": "Lisa"}, {"name": "Tom"}])
    api.record(game, "territory 40 38")
    api.record(game, "p2 komi 6.5")
    api.show(game)
    found = meta(stranger(api, f"/games/{game}").decode())
    assert found["og:description"] == "Go (with komi): Lisa 40 (with komi: 40), Tom 44 (with komi: 44.5)"
    fold = api.app.context.archive.folds.current(game)
    with api.app.site.test_request_context(environ_overrides=api.app.carried):
        picture = cards.picture(fold, fold.ruleset, seats_in(fold))
    _, _, beside = picture.rpartition("</svg><")
    texts = re.findall(r"<text [^>]*>([^<]*)<", f"<{beside}")
    assert [text for text in texts if text.startswith("(")] == ["(40)", "(44.5)", "(with komi)"]


def test_a_card_shows_what_decides_in_place_of_points_in_the_language_of_its_reader(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "chess"}, seats=[{"name": "Lisa"}, {"name": "Tom"}])
    api.record(game, "result win loss", "how mate", "end")
    api.show(game)
    page = Client(api.app, use_cookies=False).get(f"/games/{game}", headers={"Accept-Language": "ja"}).text
    assert meta(page)["og:description"] == "チェス（結果と時計）: Lisa (結果: 勝ち)、Tom (結果: 負け)"
    fold = api.app.context.archive.folds.current(game)
    with api.app.site.test_request_context(environ_overrides=api.app.carried):
        _, _, beside = cards.picture(fold, fold.ruleset, seats_in(fold)).rpartition("</svg><")
    assert re.findall(r'text-anchor="end"[^>]*>([^<]*)<', beside) == ["win", "loss", "Kifu 棋譜"]


def test_a_card_has_room_for_every_table(api: Api) -> None:
    seats = [{"name": f"選手{number} von und zu Hohenstein"} for number in range(8)]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats, title="大会 " * 30)
    api.show(game)
    assert size(stranger(api, f"/games/{game}/card.png")) == (1200, 630)
