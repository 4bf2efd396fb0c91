"""A game as one HTML file: small, with the record as it was exported, and nothing that its reader may not know."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode
from html import unescape
from itertools import accumulate, product
from time import thread_time
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from uuid_utils import uuid7

from games.contract import RECORD, Effect
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS
from projections.analyses.luck import luck_counts
from projections.analyses.refining import Chances
from projections.analyses.review import Review, SeatReview, Slip
from projections.analyses.turning import Option, TurningPoint, TurningPoints
from projections.analyses.winline import WinLine, WinPoint
from projections.analyses.worth import WinChanceShift
from service.api import gamefile
from service.exchange.frames import Frames, pack_pictures
from tests import goldens, tiers
from tests.choosing import short_or_soak, soak_except
from tests.proof import prove
from tests.service.entries import entry, send
from workers.analysing import subject_of

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

ENTRIES, FEW = 150, 12
LARGEST = 400_000
"""Bytes that a file of 150 entries may have."""
NAMES = (
    "kahuna/points",
    "catan_cards/buildings",
    "manapani/two_players",
    "scoresheet/wizard",
    "verraeter/shared_victory",
)
MADE = {"policy": "p", "policy_revision": 1, "blunders": 10, "precision": 5, "enough": True, "games": 10}
"""What analyses say of the games that they played on."""


def filed(api: Api, game: str, query: str = "", **more: object) -> str:
    answer = api.get(f"/v1/games/{game}/export?format=html{query}", **more)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "text/html"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game}.html"'
    return answer.text


@pytest.fixture
def last_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files have the last board alone: to draw one for each entry takes far more time than all else."""
    monkeypatch.setattr(gamefile, "BOARDS", 1)


def record_in(page: str) -> bytes:
    found = re.search(r'<pre id="record-lines">\n(.*?)</pre>', page, re.DOTALL)
    assert found
    return unescape(found[1]).encode()


def entries_in(page: str) -> str:
    found = re.search(r'<table id="entries">.*?</table>', page, re.DOTALL)
    assert found
    return found[0].upper()


def golden(api: Api, name: str, entries: int = ENTRIES) -> str:
    """A recorded game, or its first entries: to draw a board for each of them is what a file costs."""
    text = goldens.cut(*name.split("/"), entries)
    answer = api.request("POST", f"/v1/imports?id={uuid7()}", data=text.encode(), content_type="text/plain")
    return str(answer.get_json()["game"])


@pytest.mark.parametrize(
    ("language", "name"),
    soak_except(product(("en", "ja"), NAMES), ("ja", "kahuna/points"), *(("en", name) for name in NAMES[1:])),
)
@pytest.mark.slow
def test_a_file_is_small_and_holds_the_record_with_its_proof(api: Api, language: str, name: str) -> None:
    game = golden(api, name)
    page = filed(api, game, headers={"Accept-Language": language})
    version = api.get(f"/v1/games/{game}").get_json()["version"]
    assert len(page.encode()) <= LARGEST * max(1, version / 150)
    assert f'<html lang="{language}">' in page
    assert len(re.findall(r'<tr id="entry-\d+"', page)) == version
    lines = record_in(page).splitlines()
    exported = api.get(f"/v1/games/{game}/export?format=ndjson&names=true").data.splitlines()
    assert lines[1:] == exported[1:]
    prove(lines[1:])


FOUR = ("Aiko", "Bruno", "Chiara", "Opa Karl-Heinz")
EIGHT = ("田中 愛子", "山本 健太", "さくら", "Daan", "Émile", "Oma Gisela", "Opa Karl-Heinz", "Øyvind")


@pytest.mark.parametrize(("language", "names"), soak_except([("en", FOUR), ("ja", EIGHT)], ("ja", EIGHT)))
@pytest.mark.slow
def test_a_file_of_a_long_sheet_is_small_and_has_a_board_for_each_entry(
    api: Api, language: str, names: tuple[str, ...]
) -> None:
    """From round 31 on, each entry moves all lines of the sheet up."""
    entries = short_or_soak(60, ENTRIES)
    seats, count = [{"name": name} for name in names], len(names)
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    lines = (" ".join(str((turn * 7 + seat * 13) % 40) for seat in range(count)) for turn in range(1, entries))
    assert api.record(game, *(f"r{turn} {line}" for turn, line in enumerate(lines, 1))).status_code == 201
    page = filed(api, game, headers={"Accept-Language": language})
    assert len(page.encode()) <= short_or_soak(230_000, LARGEST)
    boards = boards_in(page)
    assert len(boards) == entries
    assert boards[-1] in page
    audit = page[page.index('<table id="audit">') :].partition("</table>")[0]
    assert audit.count(f"<bdi>{names[0]}</bdi>") == entries, "a line for each round, and the total"
    for turn in (30, 45, entries - 1):
        shown = {int(number) for number in re.findall(r'data-at="r([0-9]+) p4"', boards[turn])}
        assert shown == set(range(max(1, turn - 29), turn + 1))


ENDINGS = (
    ("kahuna/points", "Most points", "最多得点"),
    ("manapani/shared_victory", "No white chip is left", "白チップがなくなりました"),
    ("verraeter/shared_victory", "All rounds are played", "全ラウンド終了"),
)


@pytest.mark.parametrize(("name", "english", "japanese"), ENDINGS)
@pytest.mark.slow
@pytest.mark.usefixtures("last_board")
def test_a_file_and_a_report_say_why_the_game_ended(api: Api, name: str, english: str, japanese: str) -> None:
    game = golden(api, name)
    for language, said in (("en", english), ("ja", japanese)):
        headers = {"Accept-Language": language}
        if tiers.SOAK or (language == "ja") == (name != "kahuna/points"):
            assert f'<p class="soft">{said}</p>' in filed(api, game, headers=headers)
        report = api.get(f"/v1/games/{game}/export?format=report", headers=headers).text
        assert f"<p>{said} <small>" in report


def test_a_file_of_a_very_long_game_has_the_last_boards_alone_and_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.play("-", "+?gola", "-")
    boards = boards_in(filed(api, game))
    monkeypatch.setattr(gamefile, "BOARDS", 2)
    page = filed(api, game)
    assert boards_in(page) == boards[-2:]
    assert f"The boards of the first {len(boards) - 2} entries are left out." in page
    assert len(re.findall(r'<tr id="entry-\d+"', page)) == len(boards)


def test_a_file_names_what_ranked_the_players_in_place_of_points(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "ranking"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    assert api.record(game, "place 1 2", "end").status_code == 201
    assert '<p class="soft">Decided by: ' in filed(api, game)


def boards_in(page: str) -> list[str]:
    found = re.search(r'id="boards">(.*?)</script>', page)
    assert found
    return unpack(msgspec.convert(msgspec.json.decode(gzip.decompress(b64decode(found[1]))), Frames))


def analyses_in(page: str) -> str:
    return "".join(re.findall(r'<details class="analysis".*?</details>', page, re.DOTALL))


@pytest.mark.parametrize(
    "name", soak_except(("verraeter/one_house", *NAMES), "verraeter/one_house", "scoresheet/wizard")
)
@pytest.mark.slow
@pytest.mark.usefixtures("last_board")
def test_a_file_tells_how_the_game_went_and_its_luck(api: Api, name: str) -> None:
    game = golden(api, name)
    for seat in ("record", "public"):
        told = analyses_in(filed(api, game, f"&seat={seat}"))
        assert "How it went" in told
        leads = ("The lead changed ", " took the lead and kept it ", " took the lead only at the end ")
        assert sum(words in told for words in leads) == 1
        assert " won (entry " in told
    japanese = analyses_in(filed(api, game, headers={"Accept-Language": "ja"}))
    assert not re.search("How it went|The lead|The winner|brought to|To be expected", japanese)


@pytest.mark.slow
@pytest.mark.usefixtures("last_board")
def test_a_file_counts_luck_as_the_analysis_does(api: Api) -> None:
    game = golden(api, "manapani/two_players")
    told = analyses_in(filed(api, game))
    assert "To be expected" in told
    replay = replay_of(api.app.context.archive.folds, game, api.app.context.archive.folds.current(game).version, RECORD)
    counts = luck_counts(replay)
    assert counts.kinds
    for kind in counts.kinds:
        for each in kind.outcomes:
            cells = f'<bdi>{each.count.got}</bdi></td><td class="number"><bdi>{each.count.expected:.1f} ± '
            assert not kind.n or cells in told


@pytest.mark.slow
def test_chances_that_were_made_are_in_the_file_of_their_viewpoint_alone(api: Api) -> None:
    game = golden(api, "kahuna/points", FEW)
    version = api.get(f"/v1/games/{game}").get_json()["version"]
    chances = [Chances(0.64, 0.6, 0.7), Chances(0.36, 0.3, 0.4)]
    keep(
        api,
        game,
        "win-line",
        WinLine(points=[WinPoint(version=version, seat=0, n=10, chances=chances)], swings=[], **MADE),
    )
    assert "64 %" in analyses_in(filed(api, game))
    assert "Chances to win" not in analyses_in(filed(api, game, "&seat=public"))


def point_of(seat: int, version: int) -> TurningPoint:
    """A turn that changed the chances of a seat."""
    chances, nothing = [Chances(0.4, 0.35, 0.45), Chances(0.6, 0.55, 0.65)], WinChanceShift(0.0, 0.0)
    return TurningPoint(
        seat=seat,
        since=version - 1,
        version=version,
        before=chances[0],
        after=chances[1],
        luck=nothing,
        rest=nothing,
        events=[],
        left_out=0,
        unseen=0,
        decisions=[],
    )


def review_of(seats: int, slip: Slip) -> Review:
    """A review of a game that is over, in which the first seat made a slip."""
    own = [
        SeatReview(
            seat=seat,
            turns=12,
            cost=WinChanceShift(0.03, 0.02),
            accuracy=Chances(0.87, 0.8, 0.95),
            luck=WinChanceShift(0.11, 0.04),
            without_luck=WinChanceShift(0.89 if seat == 0 else -0.11, 0.04),
            examined=3,
            slips=[slip] if seat == 0 else [],
        )
        for seat in range(seats)
    ]
    return Review(seats=own, left_out=0, over=True, **MADE)


def keep(api: Api, game: str, kind: str, result: object) -> None:
    """Let an analysis of the whole record have this result."""
    context = api.app.context
    subject = subject_of(context.archive.folds.current(game), KINDS[kind], {}, RECORD)
    context.analyses.finish(context.analyses.ask(subject, "asked", "test").id, result)


@pytest.mark.slow
@pytest.mark.usefixtures("last_board")
def test_a_review_that_was_made_is_in_the_file_of_its_viewpoint_alone(api: Api) -> None:
    game = golden(api, "kahuna/points", FEW)
    assert "Review" not in analyses_in(filed(api, game)), "none was made"
    made, better = Option("+?DUDA", 96, Chances(0.4, 0.35, 0.45)), Option("+GOLA", 96, Chances(0.6, 0.55, 0.65))
    slip = Slip(version=5, after=4, made=made, better=better, others=[], loss=WinChanceShift(0.2, 0.07))
    keep(api, game, "review", review_of(2, slip))
    told = analyses_in(filed(api, game))
    assert "<b>Review</b>" in told
    assert "Aiko: accuracy 87 % (80 to 95), by 12 turns; 1 slip is known" in told
    assert "Aiko won with 11 ± 4 points of luck; without luck it stands 89 : 0." in told
    cells = re.findall(r"<bdi>(.*?)</bdi>", told)
    at = cells.index("+?DUDA")
    assert cells[at - 2 : at + 3] == ["5", "Aiko", "+?DUDA", "+GOLA", "20 ± 7 points"]
    assert "Review" not in analyses_in(filed(api, game, "&seat=public"))
    assert "Review" not in analyses_in(filed(api, game, "&seat=1"))
    japanese = analyses_in(filed(api, game, headers={"Accept-Language": "ja"}))
    assert not re.search("Review|accuracy|Better|points of luck", japanese)


@pytest.mark.slow
@pytest.mark.usefixtures("last_board")
def test_a_review_in_a_file_tells_luck_by_counts_where_its_worth_is_not_known(api: Api) -> None:
    game = golden(api, "manapani/two_players")
    folds = api.app.context.archive.folds
    counts = luck_counts(replay_of(folds, game, folds.current(game).version, RECORD))
    option = Option("roll", 96, Chances(0.5, 0.45, 0.55), type="roll")
    slip = Slip(version=5, after=4, made=option, better=option, others=[], loss=WinChanceShift(0.2, 0.07))
    found = review_of(2, slip)
    rough = [structs.replace(own, luck=WinChanceShift(0.1, 0.4), without_luck=None) for own in found.seats]
    keep(api, game, "review", structs.replace(found, seats=rough, luck_counts=structs.replace(counts, kinds=[])))
    page = filed(api, game)
    review, luck = (part for part in analyses_in(page).split("<details") if re.search("<b>(Review|Luck)</b>", part))
    assert "The worth of luck is not known" in review
    said = re.search(rf"<p>[^<]*\b{counts.figures} figures[^<]*</p>", review)
    assert said
    assert said[0] in luck
    assert '<p class="see"><a href="#luck">All figures of luck</a>' in review
    assert re.search(r"@media print ?\{[^}]*\.see[ ,{][^}]*display: ?none", page), "on paper nobody follows it"
    assert page.count('id="luck"') == 1
    japanese = analyses_in(filed(api, game, headers={"Accept-Language": "ja"}))
    assert "運の数字をすべて見る" in japanese
    assert re.search(r"<bdi>roll \([^a-z]+\)</bdi>", japanese), "a move whose effects all come by chance has its type"
    assert "figures" not in japanese


def test_turning_points_and_slips_of_a_file_name_who_sat_there_then(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    moves = [entry("move.made", move=move) for move in ("deal black BARI COCO DUDA", "b-d")]
    carl = str(uuid7())
    assert api.request("PUT", f"/v1/players/{carl}", json={"name": "Carl"}).status_code in {200, 201}
    assert send(api, game, *moves, entry("seat.changed", seat=0, player=carl)).status_code == 201
    assert "Carl" in filed(api, game)
    keep(api, game, "turning-points", TurningPoints(points=[point_of(0, 3)], **MADE))
    built = Effect("bridge.built", "kahuna:BUILD-1", 0, ("BARI-DUDA",))
    option = Option("BARI-DUDA", 96, Chances(0.4, 0.35, 0.45), [built])
    slip = Slip(version=3, after=2, made=option, better=option, others=[], loss=WinChanceShift(0.2, 0.07))
    keep(api, game, "review", review_of(2, slip))
    told = analyses_in(filed(api, game))
    assert re.findall(r"<bdi>3</bdi></td><td class=\"number\"><bdi>(\w+)</bdi>", told) == ["Anna", "Anna"]
    assert told.count("<bdi>BARI-DUDA (Anna built BARI-DUDA)</bdi>") == 2
    review = next(
        each for each in api.get(f"/v1/games/{game}/analyses").get_json()["analyses"] if each["kind"] == "review"
    )
    said = api.get(f"/v1/games/{game}/analyses/{review['id']}", headers={"Accept-Language": "ja"}).get_json()["words"]
    (told,) = (sentence for sentence in said if "20 ± 7" in sentence)
    assert "Anna" in told
    assert "built" not in told


@pytest.mark.slow
def test_nothing_in_a_file_is_loaded_from_elsewhere(api: Api) -> None:
    page = filed(api, golden(api, "kahuna/points", FEW))
    assert re.search(r"http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-", page)
    assert not re.search(r"\b(?:src|href)=\"(?!#)", page)


def test_a_file_for_the_public_holds_nothing_that_is_hidden(api: Api) -> None:
    game = api.play("-", "+?gola", "-")
    assert "GOLA" in entries_in(filed(api, game))
    api.show(game)
    api.token = None
    page = filed(api, game)
    assert b"gola" not in record_in(page).lower()
    assert "GOLA" not in entries_in(page)


def test_texts_of_people_cannot_become_code(api: Api) -> None:
    evil = "</pre></script><script>alert(1)</script>"
    game = api.open(title=evil, place=evil, seats=[{"name": evil}, {}])
    page = filed(api, game)
    assert "<script>alert" not in page
    assert evil in record_in(page).decode()


def unpack(frames: Frames) -> list[str]:
    found, parts, known = [], list[int](), 0
    for changes in frames.frames:
        at, now = 0, list[int]()
        for kept, gone, inserted in changes:
            now += parts[at : at + kept]
            for back in inserted:
                now.append(known - back)
                known += back == 0
            at += kept + gone
        parts = [*now, *parts[at:]]
        found.append(with_heights("".join(frames.parts[number] for number in parts)))
    return found


def with_heights(picture: str) -> str:
    distances = map(int, re.findall(r' y="<(-?[0-9]+)"', picture))
    heights = accumulate(distances)
    return re.sub(r' y="<-?[0-9]+"', lambda _: f' y="{next(heights)}"', picture)


PARTS = (
    "<a>",
    "<b x='>'>",
    "</a>\n",
    "<c>text",
    '<d y="72">',
    '<d y="8">',
    '<d y="08" x=\' y="+5" y="6"\'> y="-7" y="9"',
    '<d y="7.5"/>',
)


@given(st.lists(st.lists(st.sampled_from(PARTS)).map("".join)))
def test_packed_pictures_are_unpacked_as_they_were(pictures: list[str]) -> None:
    assert unpack(pack_pictures(pictures)) == pictures


def test_long_pictures_are_packed_quickly() -> None:
    """Each picture moves the lines of a table up. To compare all places of the same part would take minutes."""
    pictures = ["".join(f'<g id="{line}">{"<cell>" * 30}' for line in range(first, first + 300)) for first in range(9)]
    began = thread_time()
    frames = pack_pictures(pictures)
    assert thread_time() - began < 2
    assert unpack(frames) == pictures
    assert [changes for changes in frames.frames[1:] if len(changes) != 2] == [], "one line goes, and one comes"


def test_a_cell_of_a_sheet_is_named_without_its_seat_which_is_said_before(api: Api) -> None:
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    game = api.open(ruleset="scoresheet", options={"template": "wizard"}, seats=seats)
    api.record(game, "r1 1 0", "r1 tricks 1 0")
    for language, told in (("en", ("Ada entered r1, 1", "Ben entered r1 tricks, 0")), ("ja", ("Adaがr1 トリック、1",))):
        page = unescape(filed(api, game, headers={"Accept-Language": language}))
        assert [each for each in told if each not in page] == []
        assert re.findall(r"r1 (?:Ada|Ben)", page) == []
