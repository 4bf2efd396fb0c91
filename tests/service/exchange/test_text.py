"""A game as text says everything that its record says: out, in, and out again it is the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule
from markupsafe import escape
from uuid_utils import uuid7

from events import limits, types
from events.event import NewEvent
from events.signing import statement
from games import transcript
from games.contract import PUBLIC, RECORD, Viewpoint
from games.rulesets import RULESETS, SHIPPED
from games.transcript_lines import CORRECTIONS, EXAMPLES
from service.api.syntax import MEANINGS, sample
from service.recording import text_export
from service.recording.text_export import export_text
from service.recording.text_import import TYPES, import_text
from tests import goldens
from tests.cases import cases
from tests.choosing import soak_except
from tests.service.entries import bridges, entry, send, timeline
from tests.service.exchange.test_transfers import bring, export
from tests.service.proof.test_signing import made_by_edwards
from tests.service.recording.test_history import Table, chances, choices

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from events.log import Log
    from events.seals import Part
    from projections.fold import Fold
    from service.recording.judging import Draft
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

REMARKS = {"game.opened", "record.signed", "entry.erased"}
"""Types without a line of their own: the opening is the head of a text, and the others are comments."""

EVENTS = [goldens.FOLDER / "events" / f"{name}.ndjson" for name in ("schema-3", "signed-1")]

ODD = st.sampled_from(
    [
        "rain",
        " blanks ",
        "#3",
        "two\nlines",
        "\ttab",
        'a "quoted" word',
        '"quoted"',
        "a ! b ; c : d",
        "breaks kahuna:SET-2",
        "bookmark: so",
        "#withdraw #3",
        "棋譜 \u3000 全角",
        "a\\b",
        "[Title]",
        "keep=#4",
    ]
)
"""Texts with a meaning of their own somewhere in the format."""


def test_every_type_of_entry_is_written_as_a_line_and_read() -> None:
    lines = {name: form for name, form in types.TYPES.items() if name not in REMARKS}
    assert set(TYPES.values()) == lines.keys()
    fallback = text_export._line.dispatch(object)
    unwritten = [form for form in lines.values() if text_export._line.dispatch(form) is fallback]
    assert {form.ruleset_field for form in unwritten} == {"move"}


def same_again(text: str, api: Api) -> str:
    """The game that comes of a text, which is the same text again when it is written."""
    answer = bring(api, text, "text/plain")
    assert answer.status_code == 201, f"{answer.text}\n{text}"
    game = str(answer.get_json()["game"])
    assert export(api, game, "?format=text&names=true").decode() == text
    return game


def store(log: Log, game: str, kind: str, **data: Any) -> None:
    """Put an entry into the log as it is, as an older release may have stored it."""
    head = log.head(game)
    assert head is not None
    log.append(game, [NewEvent(id=str(uuid7()), type=kind, data=data)], expected=head.version, recorder="old")


class WrittenTable(Table):
    """A table with everything that an entry can say, and texts in which everything can stand."""

    def opening(self, chance: random.Random) -> Draft:
        draft = super().opening(chance)
        kept = range(self.ruleset.oldest_revision, self.ruleset.revision + 1)
        return msgspec.structs.replace(
            draft, data=draft.data | {"revision": chance.choice(kept), "title": 'The "last"'}
        )

    def somebody(self, chance: random.Random) -> str:
        names = ["Aiko", 'Ben "the bear"', "千代", "#1", "Ana=x", "?!"]
        player, name = chance.choice(list(enumerate(names)))
        id_ = f"00000000-0000-7000-8000-{player:012}"
        self.archive.log.people.put(id_, name)
        return id_

    @rule(chance=chances, text=ODD)
    def claim(self, chance: random.Random, text: str) -> None:
        scores = [chance.choice([None, 12, -3]) for _ in range(self.fold.seats)]
        line = {
            "seat": chance.randrange(self.fold.seats),
            "category": text.replace("\n", "").replace("\t", ""),
            "points": -4,
        }
        with self.refused():
            self.add("score.claimed", scores=scores, lines=[line] * chance.randrange(3), text=text)
        with self.refused():
            self.add("score.claimed", lines=[line], entry=self.entry(chance))

    @rule(chance=chances, text=ODD)
    def change_seat(self, chance: random.Random, text: str) -> None:
        player = {"player": self.somebody(chance)} if chance.random() < 0.7 else {}
        with self.refused():
            self.add("seat.changed", seat=chance.randrange(self.fold.seats), reason=text, **player)

    @rule(text=ODD, bookmark=st.booleans())
    def note_something(self, text: str, *, bookmark: bool) -> None:
        self.add("note.added", text=text, bookmark=bookmark)

    @rule(chance=chances, text=ODD)
    def play_against_the_rules(self, chance: random.Random, text: str) -> None:
        fold, _ = self.archive.folds.right_after(self.game, self.entry(chance))
        with self.refused():
            self.add("move.made", move=self.legal(fold, chance), override={"reason": text})

    @rule(chance=chances, choice=choices, text=ODD)
    def replace_against_the_rules(self, chance: random.Random, choice: dict[str, str], text: str) -> None:
        found = self.entry(chance, "move.made", "entry.inserted")
        fold, _ = self.archive.folds.right_after(self.game, self.entry(chance))
        more: dict[str, Any] = choice | {"override": {"reason": text}, "reason": text}
        with self.refused():
            self.add("entry.replaced", entry=found, move=self.legal(fold, chance), **more)

    @rule(chance=chances, text=ODD)
    def rule_as_a_referee(self, chance: random.Random, text: str) -> None:
        with self.refused():
            self.add("ruling.given", reason=text, referee=self.somebody(chance))

    @rule(choice=choices, text=ODD)
    def adopt(self, choice: dict[str, str], text: str) -> None:
        with self.refused():
            self.add("revision.adopted", revision=self.ruleset.revision, reason=text, **choice)

    @rule(chance=chances, choice=choices, text=ODD)
    def take_back_with_a_reason(self, chance: random.Random, choice: dict[str, str], text: str) -> None:
        with self.refused():
            self.add("entry.withdrawn", entry=self.entry(chance), reason=text, **choice)
        with self.refused():
            self.add("ruling.revoked", ruling=self.entry(chance, "ruling.given"), reason=text, **choice)

    @rule(chance=chances, choice=choices, text=ODD)
    def insert_against_the_rules(self, chance: random.Random, choice: dict[str, str], text: str) -> None:
        after = self.entry(chance)
        fold, _ = self.archive.folds.right_after(self.game, self.entry(chance))
        more: dict[str, Any] = choice | {"override": {"reason": text}, "reason": text}
        with self.refused():
            self.add("entry.inserted", after=after, move=self.legal(fold, chance), **more)

    @rule(chance=chances, choice=choices, text=ODD)
    def rule_on_an_earlier_entry(self, chance: random.Random, choice: dict[str, str], text: str) -> None:
        more = choice | {"referee": self.somebody(chance)}
        with self.refused():
            self.add("ruling.given", reason=text, after=self.entry(chance), **more)

    @rule(how=st.sampled_from(["adjudicated", "abandoned"]), text=ODD)
    def close_and_reopen_with_reasons(self, how: str, text: str) -> None:
        with self.refused():
            self.add("game.closed", how=how, reason=text)
        with self.refused():
            self.add("game.reopened", reason=text)

    @rule(chance=chances)
    def sign(self, chance: random.Random) -> None:
        head, seat = self.archive.log.head(self.game), chance.choice([None, *range(self.fold.seats)])
        assert head is not None
        signed = made_by_edwards(statement(self.game, head.version, head.hash, seat))
        self.add("record.signed", version=head.version, hash=head.hash, seat=seat, **signed)

    @rule(chance=chances, what=st.sampled_from(["text", "hidden"]), text=ODD)
    def erase(self, chance: random.Random, what: Part, text: str) -> None:
        self.archive.log.erase(self.game, self.entry(chance), what, "tests", text)
        self.archive.folds.forget(self.game)

    def teardown(self) -> None:
        try:
            if self.fold.blocked_by is None:
                self.is_written_and_read()
                self.is_written_as_it_counts_once_it_was_healed()
        finally:
            super().teardown()

    def is_written_and_read(self) -> None:
        fold, copy = self.fold, self.read_again(RECORD)
        assert (copy.state, copy.irregular) == (fold.state, fold.irregular)
        assert (copy.players, copy.closed, copy.version) == (fold.players, fold.closed, fold.version)
        for viewpoint in (PUBLIC, Viewpoint("seat", 0)):
            self.read_again(viewpoint)

    def read_again(self, viewpoint: Viewpoint) -> Fold:
        """The game of a text from a viewpoint, which is the same text again when it is written."""
        text = export_text(self.archive, self.game, names=True, viewpoint=viewpoint)
        again = str(uuid7())
        import_text(self.archive, text, again, recorder="tests")
        assert export_text(self.archive, again, names=True) == text
        return self.archive.folds.current(again)

    def is_written_as_it_counts_once_it_was_healed(self) -> None:
        """As above, after a move that could not be carried out, and its withdrawal."""
        before = self.fold
        store(self.archive.log, self.game, "move.made", move={"type": "unheard_of"})
        store(self.archive.log, self.game, "entry.withdrawn", entry=before.version + 1)
        text = export_text(self.archive, self.game, names=True)
        assert "; withdrawn: move.made\n; entry.withdrawn: entry " in text
        again = str(uuid7())
        import_text(self.archive, text, again, recorder="tests")
        assert export_text(self.archive, again, names=True) == text
        copy = self.archive.folds.current(again)
        assert (copy.state.describe(), copy.totals(), copy.outcome()) == (
            before.state.describe(),
            before.totals(),
            before.outcome(),
        )
        assert sorted(copy.irregular.values()) == sorted(before.irregular.values())
        assert (copy.players, copy.closed, copy.revision) == (before.players, before.closed, before.revision)
        for viewpoint in (PUBLIC, Viewpoint("seat", 0)):
            export_text(self.archive, self.game, names=True, viewpoint=viewpoint)


def try_out(name: str, examples: int, steps: int) -> None:
    machine = type(f"WrittenTableOf{name}", (WrittenTable,), {"ruleset": RULESETS[name]})
    machine.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=steps, suppress_health_check=list(HealthCheck), deadline=None
    )
    machine.TestCase().runTest()


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.slow
def test_a_record_with_all_kinds_of_entries_is_the_same_text_after_its_import(name: str) -> None:
    try_out(name, examples=2, steps=16)


@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
def test_a_record_with_all_kinds_of_entries_is_the_same_text_after_its_import_at_length(name: str) -> None:
    try_out(name, examples=200, steps=40)


@pytest.mark.parametrize(
    "path",
    soak_except(goldens.recorded(), *(path for name in SHIPPED for path in goldens.sample_of(name, 9))),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_a_written_game_comes_out_as_it_went_in(shared: Api, path: Path) -> None:
    answer = bring(shared, path.read_text(encoding="utf-8"), "text/plain")
    assert answer.status_code == 201, answer.text
    same_again(export(shared, answer.get_json()["game"], "?format=text&names=true").decode(), shared)


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_a_record_of_an_older_schema_and_a_signed_one_are_text_that_can_be_read_again(api: Api, path: Path) -> None:
    for line in path.read_bytes().split(b'{"format"'):
        if line:
            answer = bring(api, b'{"format"' + line)
            assert answer.status_code == 201, answer.text
            same_again(export(api, answer.get_json()["game"], "?format=text&names=true").decode(), api)


def test_a_corrected_game_is_written_as_it_was_recorded_with_what_became_of_each_entry(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    api.record(game, "deal black BARI COCO DUDA", "b-d", "-")
    entries = [
        entry("entry.replaced", entry=3, move="b-c", reason="misread; twice"),
        entry("entry.inserted", after=2, move="c-g"),
        entry("ruling.given", reason="slow play", adjustments=["points seat=white points=-1"], referee_name="Dora"),
        entry("seat.changed", seat=1, name="Chiyo"),
        entry("score.claimed", scores=[0, None], lines=[{"seat": 1, "category": "a ; b", "points": -1}], text="ours"),
        entry("entry.withdrawn", entry=9, reason="another sheet"),
        entry("game.closed", how="abandoned"),
        entry("game.reopened", reason="to go on"),
    ]
    assert send(api, game, *entries).status_code == 201
    text = export(api, game, "?format=text&names=true").decode()
    assert text.partition("\n\n")[2].splitlines() == [
        "deal black BARI COCO DUDA",
        "#2",
        "BARI-DUDA",
        "#3 replaced by #5",
        "-",
        '#replace #3 : BARI-COCO ! "misread; twice"',
        "#insert #2 : COCO-GOLA",
        '#ruling referee="Dora" : points seat=White points=-1 ! slow play',
        '#seat White "Chiyo"',
        '#claim Black=0 White=? : White "a ; b" -1 ! ours',
        "#9 withdrawn by #10",
        "#withdraw #9 ! another sheet",
        "#close abandoned",
        "#reopen ! to go on",
    ]
    assert '[White "Ben"]' in text
    copy = same_again(text, api)
    for path in ("state", "score", "claims"):
        one, other = (api.get(f"/v1/games/{each}/{path}").get_json() for each in (game, copy))
        assert {**one, "game": "", "hash": ""} == {**other, "game": "", "hash": ""}


def test_what_was_erased_is_told_as_erased_and_a_signature_as_a_note(api: Api) -> None:
    game = api.open()
    api.record(game, "deal black BARI COCO DUDA", "b-d")
    assert send(api, game, entry("note.added", text="a secret")).status_code == 201
    erased = api.post(f"/v1/games/{game}/erasures", {"entry": 4, "what": "text"})
    assert erased.status_code == 200, erased.text
    text = export(api, game, "?format=text&names=true").decode()
    assert "a secret" not in text
    assert "; erased: text of entry 4" in text
    copy = same_again(text, api)
    assert api.get(f"/v1/games/{copy}").get_json()["version"] == 5


def erase(api: Api, game: str, entry: int, what: str) -> None:
    answer = api.post(f"/v1/games/{game}/erasures", {"entry": entry, "what": what})
    assert answer.status_code == 200, answer.text


def is_carried_over(api: Api, game: str, *lines: str) -> str:
    """A record with these last lines is a game with the same state and the same text after its import."""
    text = export(api, game, "?format=text&names=true").decode()
    assert text.splitlines()[-len(lines) :] == [*lines]
    copy = same_again(text, api)
    kept = ("ruleset", "status", "version", "scores", "outcome")
    one, other = (api.get(f"/v1/games/{each}").get_json() for each in (game, copy))
    assert [one.get(field) for field in kept] == [other.get(field) for field in kept]
    assert api.get(f"/v1/games/{copy}/board.txt").text == api.get(f"/v1/games/{game}/board.txt").text
    return copy


def test_a_claim_without_points_after_an_erasure_is_told_in_a_comment(api: Api) -> None:
    game = api.play("b-d")
    lines = [{"seat": 0, "category": "bridges", "points": 1}]
    claim = entry("score.claimed", lines=lines, scores=[None, None], text="our paper")
    assert send(api, game, claim, entry("score.claimed", lines=lines, scores=[None, 2])).status_code == 201
    assert send(api, game, entry("note.added", text="see there", entry=4)).status_code == 201
    for version in (4, 5):
        erase(api, game, version, "text")
    assert send(api, game, entry("entry.withdrawn", entry=4)).status_code == 201
    is_carried_over(
        api,
        game,
        "#note ! empty: score.claimed",
        "#4 withdrawn by #9",
        "#claim Black=? White=2",
        "#note #4 ! see there",
        "; erased: text of entry 4",
        "; erased: text of entry 5",
        "#withdraw #4",
    )


def test_an_entry_that_lost_its_reason_stands_after_a_correction_that_it_does_not_fit(api: Api) -> None:
    """Its own reason let it stand when the entry before it was withdrawn. Then that reason was erased."""
    game = api.play("b-d", "-")
    made = entry("move.made", move="f-j", override={"reason": "a secret"})
    assert send(api, game, made).status_code == 201
    assert send(api, game, entry("entry.withdrawn", entry=4)).status_code == 201
    erase(api, game, 5, "text")
    copy = is_carried_over(
        api, game, "-", "#4 withdrawn by #6", "FAAA-JOJO", "#5", "#withdraw #4 keep=#5", "; erased: text of entry 5"
    )
    assert timeline(api, copy)[4]["irregular"]


def test_an_entry_is_kept_although_another_reason_would_let_it_stand_by_now(api: Api) -> None:
    """It broke a rule for a reason, which was erased, and had to be kept when it broke another one."""
    game = api.open(ruleset="scoresheet", options={"template": "tichu"}, seats=[{}] * 4)
    made = entry("move.made", move="r2 150 150", override={"reason": "a secret"})
    assert api.record(game, "r1 50 50").status_code == 201
    assert send(api, game, made).status_code == 201
    erase(api, game, 3, "text")
    assert send(api, game, entry("entry.withdrawn", entry=2, keep="all")).status_code == 201
    written = export(api, game, "?format=text&names=true").decode().splitlines()
    assert "r2 150 150 ! It stands in the record." in written
    is_carried_over(api, game, "#withdraw #2 keep=#3")


def test_what_was_kept_is_kept_after_the_choice_was_erased(api: Api) -> None:
    """With the hidden part of a correction, the entries that it kept against the rules are erased."""
    game = api.play("b-d", "-", "f-j")
    assert send(api, game, entry("entry.withdrawn", entry=4, keep="all", reason="misread")).status_code == 201
    erase(api, game, 6, "hidden")
    is_carried_over(api, game, "#5", "#withdraw #4 keep=#5 ! misread", "; erased: hidden of entry 6")


def test_what_was_withdrawn_is_withdrawn_although_it_would_fit_by_now(api: Api) -> None:
    """A card of the hand was played twice. Then the part that its first play hid was erased."""
    game = api.open()
    assert (
        api.record(game, "deal black BARI COCO DUDA / ALOA ALOA BARI / ? ? ?", "ALOA-HUNA", "BARI-COCO").status_code
        == 201
    )
    assert send(api, game, entry("entry.replaced", entry=3, move="BARI-DUDA", withdraw="all")).status_code == 201
    erase(api, game, 2, "hidden")
    is_carried_over(
        api,
        game,
        "#3 replaced by #5",
        "BARI-COCO",
        "#4 withdrawn by #5",
        "#replace #3 withdraw=#4 : BARI-DUDA",
        "; erased: hidden of entry 2",
    )


def test_a_move_that_lost_its_details_again_is_read(api: Api) -> None:
    """Two entries told what was drawn, and the part that the second one hid was erased: nobody knows it any more."""
    game = api.play("+")
    told = [entry("move.revealed", entry=3, move="+?gola"), entry("move.revealed", entry=3, move="+?gola")]
    assert send(api, game, *told).status_code == 201
    erase(api, game, 5, "hidden")
    is_carried_over(
        api, game, "+", "#3 replaced by #5", "#reveal #3 : +?GOLA", "#reveal #3 : +", "; erased: hidden of entry 5"
    )


def test_a_closing_that_does_not_fit_the_end_by_now_says_how_it_was_recorded(api: Api) -> None:
    game = api.play("b-d")
    store(api.app.context.archive.log, game, "game.closed", how="finished", reason="late")
    is_carried_over(api, game, "BARI-DUDA", "#close abandoned ! recorded as finished: late")


def test_a_claim_for_other_seats_than_there_are_by_now_is_written_for_those(api: Api) -> None:
    """A seat was added before it or withdrawn since, and the record was healed; or a file of NDJSON brought it."""
    game = api.play("b-d")
    lines = [{"seat": seat, "category": "bridges", "points": seat} for seat in (1, 2)]
    store(api.app.context.archive.log, game, "score.claimed", scores=[1, 2, 3], lines=lines)
    store(api.app.context.archive.log, game, "score.claimed", scores=[5])
    store(api.app.context.archive.log, game, "score.claimed", scores=[None, None, 3])
    is_carried_over(
        api, game, '#claim Black=1 White=2 : White "bridges" 1', "#claim Black=5 White=?", "; empty: score.claimed"
    )


def test_a_long_reason_of_an_erasure_is_cut_so_that_the_comment_can_be_read(api: Api) -> None:
    game = api.play("b-d")
    log = api.app.context.archive.log
    assert send(api, game, entry("note.added", text="a secret")).status_code == 201
    log.erase(game, 4, "text", "tests", "x" * limits.TEXT)
    same_again(export(api, game, "?format=text&names=true").decode(), api)


UNREADABLE = {"type": "build", "seat": 0, "card": "NOWHERE", "line": "BARI-DUDA"}
IMPOSSIBLE = UNREADABLE | {"card": "BARI"}


@pytest.mark.parametrize("move", [UNREADABLE, IMPOSSIBLE], ids=["unreadable", "impossible"])
@pytest.mark.parametrize(
    ("healing", "written"),
    [
        (
            entry("entry.withdrawn", entry=4, reason="misread"),
            "BARI-DUDA\n; withdrawn: move.made\n-\n#5\n; so far\n; entry.withdrawn: entry 4, misread\n",
        ),
        (
            entry("entry.replaced", entry=4, move="c-g"),
            "BARI-DUDA\nCOCO-GOLA\n-\n#5\n; so far\n; entry.replaced: entry 4\n",
        ),
        (
            entry("entry.inserted", after=3, move="c-g", withdraw=[4], reason="forgotten"),
            "BARI-DUDA\nCOCO-GOLA\n; entry.inserted, forgotten\n; withdrawn: move.made\n-\n#7\n; so far\n",
        ),
        (
            entry("ruling.given", after=3, reason="go on", withdraw=[4]),
            "BARI-DUDA\n* ! go on\n; withdrawn: move.made\n-\n#6\n; so far\n",
        ),
    ],
    ids=["withdrawn", "replaced", "inserted", "ruled"],
)
@pytest.mark.service("test")
def test_a_healed_record_is_written_as_it_counts(
    api: Api, move: dict[str, Any], healing: dict[str, Any], written: str
) -> None:
    game = api.play("b-d")
    log = api.app.context.archive.log
    store(log, game, "move.made", move=move)
    store(log, game, "move.made", move={"type": "decline", "seat": 0})
    store(log, game, "note.added", text="so far")
    number = written.partition("#")[2].partition("\n")[0]
    assert send(api, game, healing, entry("note.added", text="here", entry=5)).status_code == 201
    text = export(api, game, "?format=text&names=true").decode()
    assert text.partition("\n\n")[2] == f"deal black BARI COCO DUDA\n{written}#note #{number} ! here\n"
    copy = same_again(text, api)
    assert bridges(api, copy) == bridges(api, game)
    assert api.get(f"/v1/games/{copy}/board.txt").text == api.get(f"/v1/games/{game}/board.txt").text
    assert "NOWHERE" not in export(api, game, "?format=text&seat=public").decode()
    api.catch_up()
    assert text in api.get("/v1/exports/records.txt?names=true").text
    offered = api.get(f"/v1/exports?game={game}").get_json()["exports"]
    assert any("format=text" in each["href"] for each in offered)


def test_the_closings_and_corrections_of_a_healed_record_are_told_in_comments(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    api.record(game, "deal black BARI COCO DUDA", "b-d", "-")
    store(api.app.context.archive.log, game, "move.made", move=UNREADABLE)
    entries = [
        entry("entry.withdrawn", entry=5),
        entry("game.closed", how="abandoned", reason="late"),
        entry("game.reopened", reason="to go on"),
        entry("entry.replaced", entry=3, move="b-c", reason="misread"),
        entry("entry.withdrawn", entry=9),
        entry("game.closed", how="abandoned"),
    ]
    assert send(api, game, *entries).status_code == 201
    text = export(api, game, "?format=text&names=true").decode()
    assert text.partition("\n\n")[2].splitlines() == [
        "deal black BARI COCO DUDA",
        "BARI-DUDA",
        "-",
        "; withdrawn: move.made",
        "; entry.withdrawn: entry 5",
        "; game.closed: abandoned, late",
        "; game.reopened, to go on",
        "; withdrawn: entry.replaced",
        "; entry.withdrawn: entry 9",
        "#close abandoned",
    ]
    same_again(text, api)


def test_people_without_names_are_guests_in_a_text(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    assert send(api, game, entry("seat.changed", seat=1, name="Chiyo")).status_code == 201
    text = export(api, game, "?format=text").decode()
    assert "#seat White ?" in text
    assert not any(name in text for name in ("Anna", "Ben", "Chiyo"))


HEAD = '[Ruleset "kahuna"]\n\ndeal black BARI COCO DUDA\nb-d\n#3\n'


@cases(
    ("line", "told"),
    [
        ("#", "after # stands the number of the entry above"),
        ("#undo #3", "after # stands the number of the entry above"),
        ("#3x", "the entry above is named with # and a number"),
        ("#3", "#3 is the name of an entry above"),
        ("#4", "the entry above is #3 already"),
        ("#withdraw", "name one entry"),
        ("#withdraw #4", "no entry above has the name #4"),
        ("#withdraw #03", "an entry is named #3, not #03"),
        ("#withdraw #3 #3", "name one entry"),
        ("#withdraw #3 why", "why has no meaning"),
        ("#withdraw #3 color=red", "color has no meaning"),
        ("#withdraw #3 keep=3", "an entry is named #3, not 3"),
        ("#withdraw #3 keep=#3 keep=#3", "write keep once"),
        ("#withdraw #1", "opened the game and cannot be withdrawn"),
        ("#replace #3 : zz", "expected an island here"),
        ("#replace #3 override=why : b-c", "why is not a text in quotation marks"),
        ('#replace #3 override="why : b-c', "the quotation marks do not match"),
        ("#seat White", "write the seat and the name"),
        ('#seat Green "Ben"', "a seat is one of Black, White, not Green"),
        ("#seat White Ben", "Ben is not a text in quotation marks"),
        ('#seat White ""', "name"),
        ("#claim Black=two", "a total is a whole number"),
        ("#claim : Black bonus 2", "a line of a claim is a seat"),
        ('#claim : Green "bonus" 2', "a seat is one of Black, White, not Green"),
        ("#claim", "a claim has scores, or lines, or both"),
        ("#close", "write it as here: #close finished"),
        ("#close finished", "the game has not come to an end"),
        ("#reopen ! so", "the game is not closed"),
        ("#revision two", "a revision is a number"),
        ("#revision 99", "there is no revision 99"),
        ("#note #3", "text"),
        ("#note", "text"),
        ("#ruling #3 : turn seat=Black", "write the reason of the ruling"),
        ("#revoke #3", "is not a ruling"),
        ("#reveal #3 : b-c", "what was seen cannot be changed"),
    ],
)
def test_a_line_that_cannot_be_recorded_is_named_with_what_is_wrong(shared: Api, line: str, told: str) -> None:
    answer = bring(shared, HEAD + line, "text/plain")
    problem = answer.get_json()
    assert (answer.status_code, problem["type"], problem["line"]) == (400, "/problems/bad-import", 6), answer.text
    assert told in problem["detail"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("b-d" * 9000, "expected an island here"),
        (f"#{'9' * 9000}", "the entry above is named with # and a number, not with #999"),
        (f"[Title {'x' * 9000}", "a header is written [Name"),
        (f"#withdraw #3 {'x' * 9000}", "has no meaning"),
    ],
)
def test_what_is_said_of_an_endless_line_is_short_enough_to_read(shared: Api, line: str, told: str) -> None:
    answer = bring(shared, HEAD + line, "text/plain")
    assert (answer.status_code, answer.get_json()["line"]) == (400, 6)
    assert told in answer.get_json()["detail"]
    assert len(answer.get_json()["detail"]) < 2_000


@pytest.mark.parametrize(
    ("headers", "detail"),
    [
        ('[Seats "2.5"]', "line 1: Seats: '2.5' is not a number from 1 on"),
        ('[Components "[1]"]', "line 1: Components: they are not one object of JSON: Expected `object`, got `array`"),
        ('[Date "2026.02.29"]', "line 1: Date: '2026.02.29' is not a day; write it as 2026.11.30, or as ????.??.??"),
    ],
)
def test_a_header_that_cannot_be_read_is_named_once_with_its_line(shared: Api, headers: str, detail: str) -> None:
    answer = bring(shared, f'[Ruleset "kahuna"]\n{headers}\n\n', "text/plain")
    assert (answer.status_code, answer.get_json()["detail"]) == (400, detail)


@pytest.mark.parametrize(
    ("date", "day"), [("2024.02.29", "2024-02-29"), ("2024-02-29", "2024-02-29"), ("????.??.??", None)]
)
def test_the_day_of_a_text_is_the_day_of_play(api: Api, date: str, day: str | None) -> None:
    answer = bring(api, f'[Ruleset "kahuna"]\n[Date "{date}"]\n\ndeal black\n', "text/plain")
    assert answer.status_code == 201, answer.text
    api.catch_up()
    game = answer.get_json()["game"]
    (listed,) = (each for each in api.get("/v1/games").get_json()["games"] if each["game"] == game)
    assert listed["day"] == (day or timeline(api, game)[0]["recorded_at"][:10])


def test_a_text_with_endless_corrections_is_refused_before_any_work(api: Api) -> None:
    lines = "; so\n" * 3000 + "#withdraw #3\n" * 1000
    answer = bring(api, HEAD + lines, "text/plain")
    assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-import")
    assert "take the record as NDJSON" in answer.get_json()["detail"]


def test_every_word_has_a_type_an_example_and_a_meaning() -> None:
    assert TYPES.keys() - {""} == EXAMPLES.keys() == MEANINGS.keys()
    assert EXAMPLES.keys() > CORRECTIONS


@pytest.mark.parametrize("name", RULESETS)
def test_every_line_of_the_syntax_of_a_ruleset_can_be_read(shared: Api, name: str) -> None:
    """The lines after # as they stand there, with a real move for MOVE."""
    ruleset = RULESETS[name]
    shown = shared.client.get(f"/rulesets/{name}/notation").text
    for word, example in EXAMPLES.items():
        line = example.format(first=ruleset.seat_tag(0), last=ruleset.seat_tag(ruleset.seats[0] - 1))
        assert (word == "ruling" and not ruleset.adjustments) or str(escape(line)) in shown
        (game,) = transcript.read(f'[Ruleset "{name}"]\n\nx\n#3\n{line}\n')
        assert game.entries[1].word == word
    for option in ruleset.options:
        assert f"[Option.{option.name} " in shown


@pytest.mark.parametrize("name", RULESETS)
def test_the_sample_of_the_syntax_can_be_imported(shared: Api, name: str) -> None:
    assert bring(shared, sample(RULESETS[name]), "text/plain").status_code == 201


JAPANESE = (
    ("tichu", "r1 150 150", "1ディールは合計100点（ダブルビクトリーは200対0）ですが、300点です (scoresheet:CHECK-1)"),
    ("tichu", "r1 cards 900 0", "カード: 900 は 200 より大きい値です (scoresheet:CELL-2)"),
    ("tichu", "r1 p2 cards", "'r1 p2 cards' の 12 文字目: カード: ここには数が入ります"),
    ("qwixx", "p3 red 3 3", "'p3 red 3 3' の 10 文字目: 手はここで終わりです"),
    ("qwixx", "won", "プレイヤーどうしが競うゲームです。end で終わらせてください (scoresheet:END-3)"),
)
"""Lines that a sheet cannot have, with what is said of them."""


@pytest.mark.parametrize(("template", "line", "told"), JAPANESE)
def test_a_move_that_an_imported_text_cannot_have_is_explained_in_japanese(
    shared: Api, template: str, line: str, told: str
) -> None:
    text = f'[Ruleset "scoresheet"]\n[Seats "4"]\n[Option.template "{template}"]\n\n{line}\n'
    answer = shared.request(
        "POST", "/v1/imports", data=text, content_type="text/plain", headers={"Accept-Language": "ja"}
    )
    assert answer.get_json()["detail"] == f"5 行目: {told}"
