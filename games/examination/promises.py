"""The promises of every ruleset, checked on random games. Each promise is a function over one game."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import islice
from textwrap import shorten
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import msgspec

from games import adjustments
from games.contract import PUBLIC, RECORD, Adjustment, Move, State, Viewpoint
from games.errors import ImpossibleError, NotationError
from games.examination.plays import execute, replayed
from games.examination.unlisted import is_refused, unlisted_moves
from games.hidden import CardState, Hand
from games.sketch import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from games.contract import Effect, Ruleset
    from games.examination.plays import Play, Transition

    Promise = Callable[[Play], None]

SHOWN = 200
"""The most characters of a value in the report of a broken promise."""

MOMENTS_TRIED = 12
"""The number of moments of a game at which all legal moves are tried."""

MOMENTS_LOOKED_AT = 4
"""The number of moments of a game at which the state is shown in all ways."""

DRAWS = 8
"""How many moves of a kind are drawn at random at each moment."""

UNSAFE = re.compile(r"https?://(?!www\.w3\.org/2000/svg)|\bon\w+=|@import|url\((?!#)")
"""Active or external content in a picture."""


class PromiseBrokenError(Exception):
    """A ruleset breaks a promise, at entry `version`; `why` says how."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"entry {version}: {why}")
        self.version, self.why = version, why


def expect(kept: object, version: int, why: str) -> None:
    """Raise `PromiseBrokenError` unless `kept` is true."""
    if not kept:
        raise PromiseBrokenError(version, why)


def _expect_same(found: State, wanted: State, version: int, why: str) -> None:
    """Raise `PromiseBrokenError`, with the first difference, if two states are not equal."""
    if found != wanted:
        raise PromiseBrokenError(version, f"{why}: {_difference('', found, wanted)}")


def _difference(name: str, found: Any, wanted: Any) -> str:
    """The first place where two values differ, with both values there."""
    if isinstance(found, State) and type(found) is type(wanted):
        pairs = [(field, getattr(found, field), getattr(wanted, field)) for field in found.__struct_fields__]
    elif isinstance(found, (list, tuple)) and len(found) == len(wanted):
        pairs = [(f"{name}[{index}]", *both) for index, both in enumerate(zip(found, wanted, strict=True))]
    else:
        return f"{name} is {_brief(found)} instead of {_brief(wanted)}"
    return next((_difference(*each) for each in pairs if each[1] != each[2]), "")


def _brief(value: object) -> str:
    """The `repr` of a value, shortened if it is long."""
    return shorten(repr(value), SHOWN, placeholder=" …")


def _moves(play: Play) -> Iterator[tuple[Transition, Move]]:
    for step in play.steps:
        if isinstance(step.move, Move):
            yield step, step.move


def _rulings(play: Play) -> Iterator[tuple[Transition, Adjustment]]:
    for step in play.steps:
        if isinstance(step.move, Adjustment):
            yield step, step.move


def _some(play: Play) -> list[Transition]:
    return play.steps[:: len(play.steps) // MOMENTS_TRIED or 1]


def _viewpoints(play: Play) -> list[Viewpoint]:
    return [PUBLIC, *(Viewpoint("seat", seat) for seat in range(play.seats))]


# The course of a game


def legal_play_breaks_no_rule_and_comes_to_a_known_end(play: Play) -> None:
    """No legal move is a breach, none is legal after the end, and the end has a reason and a rule of the ruleset."""
    over = False
    expect(play.steps, 0, "nothing is legal in the beginning")
    for step in play.steps:
        version = step.after.version
        if isinstance(step.move, Move):
            expect(not over, version, "a move was legal after the end")
            broken = [str(breach) for breach in step.before.breaches(step.move)]
            expect(not broken, version, f"a legal move breaks {', '.join(broken)}")
        over = step.after.outcome() is not None
        if over:
            expect(not list(step.after.legal_moves()), version, "a move is legal after the end")
            expect(step.after.to_move() is None, version, "somebody is on turn after the end")
    last = play.steps[-1].after
    outcome = last.outcome()
    if outcome is None:
        raise PromiseBrokenError(last.version, "nothing is legal any more, and the game has no outcome")
    expect(outcome.reason in play.ruleset.endings, last.version, f"{outcome.reason} is none of the endings")
    expect(outcome.rule in play.ruleset.rulebook, last.version, f"{outcome.rule} is not in the rulebook")
    expect(len(outcome.ranks) == play.seats, last.version, "an outcome has a rank for every seat")
    first = {seat for seat, rank in enumerate(outcome.ranks) if rank == 1}
    expect(first == set(outcome.winners), last.version, "the winners are those of rank 1")
    ranked = {*zip(last.teams, outcome.ranks, strict=False)}
    shared = len(ranked) == len({*last.teams}) or any(_rulings(play))  # a referee may give any ranks
    expect(shared, last.version, f"the players of a team have different ranks: {outcome.ranks}")
    if last.wins == "cooperative" and not any(_rulings(play)):
        expect(len({*outcome.ranks}) == 1, last.version, f"all play together, with different ranks: {outcome.ranks}")
        won = not outcome.winners or outcome.together
        expect(won, last.version, "all play together and have won, and the outcome does not say `together=True`")
    elif len(outcome.winners) == play.seats > 1 and not last.teams:
        draw = not outcome.together
        expect(draw, last.version, "all have won `together`, and `wins` of the state is not `cooperative`")


def the_seat_on_turn_has_a_legal_move(play: Play) -> None:
    """While moves are legal, one of them is a move of the seat that `to_move` names."""
    for step in play.steps:
        turn = step.before.to_move()
        if turn is None:
            continue
        seats = {move.seat for move in step.before.legal_moves()}
        have = ", ".join(sorted("the table" if seat is None else f"seat {seat}" for seat in seats))
        expect(not seats or turn in seats, step.before.version, f"seat {turn} is on turn, but only {have} has moves")


def every_legal_move_can_be_made(play: Play) -> None:
    """Each can be made with open facts and with facts decided by chance, also where only backs were seen.

    Listing legal moves changes nothing.
    """
    chance = random.Random(1)
    for step in _some(play):
        kept = step.before.copy()
        for move in step.before.legal_moves():
            expect(not list(step.before.breaches(move)), kept.version, f"{move} is legal and a breach")
            _can_be(step.before, move)
            if (made := step.before.sample_chance(move, chance)) != move:
                _can_be(step.before, made)
        expect(step.before == kept, kept.version, "asking for the legal moves changed the state")
        for viewpoint in _viewpoints(play):
            view = step.before.view(viewpoint)
            for move in view.legal_moves() if view != step.before else ():
                _can_be(view, move, f", seen by {viewpoint.name}")


def a_move_drawn_at_random_is_a_listed_one(play: Play) -> None:
    """A kind with a `legal_at_random` of its own draws from its list, also where only backs were seen.

    It draws nothing where nothing is listed, and changes nothing.
    """
    chance = random.Random(6)
    for step in _some(play):
        for state in (step.before, *map(step.before.view, _viewpoints(play))):
            kept = state.copy()
            for kind in state.legal_kinds():
                if kind.legal_at_random.__func__ is not _DRAW_FROM_LIST:  # type: ignore[attr-defined]
                    _draw(kind, state, chance)
            expect(state == kept, state.version, "drawing moves at random changed the state")


_DRAW_FROM_LIST = Move.legal_at_random.__func__  # type: ignore[attr-defined]


def _draw(kind: type[Move], state: State, chance: random.Random) -> None:
    listed = list(kind.legal(state))
    for drawn in (kind.legal_at_random(state, chance) for _ in range(DRAWS)):
        if drawn is None:
            expect(not listed, state.version, f"no {kind.__name__} is drawn at random, and {len(listed)} are listed")
        else:
            expect(drawn in listed, state.version, f"{drawn} is drawn at random, and is not listed")


def a_policy_picks_legal_moves_and_changes_nothing(play: Play) -> None:
    """It picks a move at each moment at which one is legal: deals, draws and rolls, too.

    It picks the same move again at the same state and chance.
    """
    policy = play.ruleset.policy
    for step in _some(play):
        kept = step.before
        if policy is None or kept.ending:
            continue
        state, again = kept.copy(), kept.copy()
        try:
            move, same = (policy.choose(each, random.Random(8)) for each in (state, again))
        except Exception as error:
            raise PromiseBrokenError(kept.version, f"the policy raises {type(error).__name__}: {error}") from error
        _expect_same(state, kept, kept.version, "the policy changed the state")
        expect(move == same, kept.version, f"with the same chance the policy picks {move}, and then {same}")
        if move is None:
            legal = next(kept.legal_moves(), None)
            expect(legal is None, kept.version, f"the policy picks no move, and {legal} is legal")
        else:
            broken = ", ".join(map(str, kept.breaches(move)))
            expect(not broken, kept.version, f"the policy picks {move}, which breaks {broken}")
            _can_be(kept, kept.sample_chance(move, random.Random(9)), " for the policy")


def every_move_that_is_not_listed_breaks_a_rule_or_is_impossible(play: Play) -> None:
    """This tries moves of other moments, also with exchanged fields, during the game and after its end."""
    moments = [*(step.before for step in _some(play)), play.steps[-1].after]
    for state, move in unlisted_moves(play, moments, random.Random(5)):
        expect(is_refused(state, move), state.version, f"{move} is not listed, breaks no rule and can be made")


def _can_be(before: State, move: Move, where: str = "") -> None:
    try:
        before.copy().apply(move, before.version + 1)
    except ImpossibleError as error:
        raise PromiseBrokenError(before.version, f"{move} is legal{where}, and cannot be: {error}") from error


def the_same_moves_make_the_same_state(play: Play) -> None:
    """A game that is played again, from the beginning or from a saved state, has the same states and effects."""
    for step, state, effects in replayed(play):
        _expect_same(state, step.after, step.after.version, "the same moves made another state")
        expect(effects == step.effects, step.after.version, "the same move had other effects")
    half = play.steps[len(play.steps) // 2 :]
    state = _saved(play.ruleset, half[0].before)
    for step in half:
        effects = execute(state, step.move, step.after.version)
        expect(effects == step.effects, step.after.version, "a state that was saved goes on in another way")
    _expect_same(state, play.steps[-1].after, state.version, "a state that was saved comes to another end")


def states_survive_being_saved(play: Play) -> None:
    """A dumped state is JSON, and loads as an equal state."""
    for step in _some(play):
        _expect_same(_saved(play.ruleset, step.before), step.before, step.before.version, "it loads as another state")


def _saved(ruleset: Ruleset, state: State) -> State:
    loaded: State = ruleset.state.load(msgspec.json.decode(msgspec.json.encode(state.dump())))
    return loaded


def a_copy_shares_nothing_that_changes(play: Play) -> None:
    """No change of a copy, or of a view, changes the state."""
    for step in _some(play):
        kept = step.before.dump()
        for twin in (step.before.copy(), step.before.view(RECORD)):
            execute(twin, step.move, step.after.version)
        expect(step.before.dump() == kept, step.before.version, "a move on a copy changed the state")


def what_cannot_be_changes_nothing(play: Play) -> None:
    """A move that no longer fits is judged without an error, and refused before anything changes."""
    chance, moves = random.Random(2), [move for _, move in _moves(play)]
    for step in play.steps if moves else ():
        move = chance.choice(moves)
        state = step.before.copy()
        list(state.breaches(move))
        expect(state == step.before, state.version, f"judging {move} changed the state")
        try:
            state.apply(move, state.version + 1)
        except ImpossibleError:
            expect(state == step.before, state.version, f"{move} was refused, and changed the state")


def a_replayed_move_does_what_a_judged_and_applied_one_does(play: Play) -> None:
    """`replay` and `apply` agree at every state, for its own move and for others, which often do not fit."""
    chance, moves = random.Random(3), [move for _, move in _moves(play)]
    for step, own in _moves(play):
        for move in (own, chance.choice(moves)):
            one, two = _replay(step.before, move), _judge_and_apply(step.before, move)
            expect(one == two, step.after.version, f"{move} is replayed in another way than it is judged and applied")


def _replay(before: State, move: Move) -> tuple[list[str], str, State]:
    state, broken, why = before.copy(), list[str](), ""
    try:
        state.replay(move, before.version + 1, lambda _, breaches: broken.extend(map(str, breaches)))
    except ImpossibleError as error:
        state, broken, why = before, [], str(error)
    return broken, why, state


def _judge_and_apply(before: State, move: Move) -> tuple[list[str], str, State]:
    state, why = before.copy(), ""
    broken = list(map(str, state.breaches(move)))
    try:
        state.apply(move, before.version + 1)
    except ImpossibleError as error:
        state, broken, why = before, [], str(error)
    return broken, why, state


def looking_at_a_state_changes_nothing(play: Play) -> None:
    """Its description, picture, notation, scores, blanks and views are made, and it is as before."""
    for step in play.steps[:: len(play.steps) // MOMENTS_LOOKED_AT or 1]:
        state = step.before.copy()
        kept = state.copy()
        for name, look in _LOOKS.items():
            look(state)
            _expect_same(state, kept, kept.version, f"`{name}` changed the state")
        if isinstance(step.move, Move):
            for name in ("notation", "notation_template", "blanks"):
                getattr(state, name)(step.move)
                _expect_same(state, kept, kept.version, f"`{name}` of {step.move} changed the state")
            state.parse(kept.notation(step.move))
            _expect_same(state, kept, kept.version, f"`parse` of {step.move} changed the state")


_LOOKS: dict[str, Callable[[State], object]] = {
    "to_move": lambda state: state.to_move(),
    "scores": lambda state: state.scores(),
    "ranks": lambda state: state.ranks(),
    "outcome": lambda state: state.outcome(),
    "describe": lambda state: state.describe(),
    "picture": lambda state: state.picture(),
    "sketch": lambda state: state.sketch(),
    "tables": lambda state: state.tables(),
    "off_turn_moves": lambda state: list(state.off_turn_moves()),
    "view": lambda state: state.view(PUBLIC),
    "dump": lambda state: state.dump(),
}
"""What a reader asks of a state, by the name of the method."""


# Data and notation


def moves_survive_json(play: Play) -> None:
    """Moves and adjustments are read back as equals, from bytes and from decoded JSON."""
    read, read_adjustment = play.ruleset.read_move, play.ruleset.read_adjustment
    for step, move in _moves(play):
        data = play.ruleset.move_data(move)
        same = read(msgspec.json.encode(move)) == move == read(data)
        expect(same, step.after.version, f"{move} is read as another move")
    for step, ruled in _rulings(play):
        same = read_adjustment(play.ruleset.adjustment_data(ruled)) == ruled
        expect(same, step.after.version, f"{ruled} is read as another adjustment")


def what_is_written_in_notation_is_read_back(play: Play) -> None:
    """Every made or legal move has one line of text, without `!` and `;`.

    It can also be typed in full-width letters.
    """
    for step, move in _moves(play):
        text = _read_back(step.before, move)
        expect(step.before.parse(_wide(text)) == move, step.after.version, f"{text!r} in full width is another move")
    for step in _some(play):
        for move in step.before.legal_moves():
            _read_back(step.before, move)
    for step, ruled in _rulings(play):
        text = adjustments.write(play.ruleset, ruled)
        same = adjustments.parse(play.ruleset, text) == ruled and not set("!;\n") & set(text)
        expect(same, step.after.version, f"{text!r} is not read back")


def _read_back(state: State, move: Move) -> str:
    text = state.notation(move)
    fit = not set("!;\n") & set(text) and not text.startswith(("[", "*"))
    expect(fit, state.version, f"{text!r} cannot stand in a game as text")
    try:
        expect(state.parse(text) == move, state.version, f"{text!r} is read as another move than {move}")
    except NotationError as error:
        raise PromiseBrokenError(state.version, f"{text!r} is not read back: {error}") from error
    return text


def _wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign.replace(" ", "\u3000") for sign in text)


def any_text_is_read_as_a_sound_move_or_refused_with_a_place(play: Play) -> None:
    """This tries words of the game, mixed and mutilated. Any move that is read has valid fields."""
    chance = random.Random(4)
    words = sorted({word for step, move in _moves(play) for word in step.before.notation(move).split()})
    signs = sorted({*"".join(words), *" ?-+/():;=#!xd019٣\x00\ud800"})
    for step in play.steps if words else ():
        for _ in range(4):
            parts = [_mutilated(chance.choice(words), signs, chance) for _ in range(chance.randint(0, 7))]
            _read_or_refuse(step.before, " ".join(parts))


def _mutilated(word: str, signs: list[str], chance: random.Random) -> str:
    if chance.random() < 0.6:
        return word
    at = chance.randint(0, len(word))
    return word[:at] + chance.choice(signs) + word[at + chance.randint(0, 1) :]


def _read_or_refuse(state: State, text: str) -> None:
    try:
        move = state.parse(text)
    except NotationError as error:
        expect(0 <= error.at <= len(text), state.version, f"{text!r} is refused at no place of it")
        return
    same = state.ruleset.read_move(msgspec.json.encode(move)) == move
    expect(same, state.version, f"{text!r} is read as a move that its own form does not take")
    expect(state.parse(state.notation(move)) == move, state.version, f"{text!r} is written as another move")


# Scores, effects and pictures


def every_score_is_the_sum_of_lines_that_cite_a_rule_and_an_entry(play: Play) -> None:
    """A line cites an earlier entry or this one. A referee's points are lines, too."""
    for step in play.steps:
        state, version = step.after, step.after.version
        for line in state.scores():
            cites = line.rule in play.ruleset.rulebook and line.category and line.version <= version
            expect(cites, version, f"{line} cites no rule or entry")
        sums = [0] * play.seats
        for line in state.scores():
            sums[line.seat] += line.points
        expect(state.totals() == sums, version, f"the scores are {state.totals()}, their lines make {sums}")
        if isinstance(step.move, adjustments.Points):
            given = [(line.seat, line.points) for line in state.scores() if line.version == version]
            expect((step.move.seat, step.move.points) in given, version, "points that a referee gave are no line")


def every_effect_has_a_sentence_and_a_rule(play: Play) -> None:
    """Effects have sentences, and cite rules of the rulebook."""
    for step in play.steps:
        for effect in step.effects:
            expect(effect.rule in play.ruleset.rulebook, step.after.version, f"{effect.rule} is not in the rulebook")
            expect(
                effect.kind in play.ruleset.effect_sentences, step.after.version, f"{effect.kind} is none of the kinds"
            )
            expect(sentence(play.ruleset, effect), step.after.version, f"{effect} has no sentence")


def sentence(ruleset: Ruleset, effect: Effect) -> str:
    """An effect in words."""
    seat = "" if effect.seat is None else ruleset.seat_names[effect.seat].en
    return ruleset.effect_sentences[effect.kind].format(seat=seat, at=", ".join(effect.at), count=effect.count)


def a_picture_is_one_safe_document_with_words(play: Play) -> None:
    """A picture has a title and a description for screen readers, and no external content. A sketch must fit, too."""
    for step in (play.steps[0], play.steps[len(play.steps) // 2], *[step for step, _ in _rulings(play)][-8:]):
        text, version = step.after.picture(), step.after.version
        names = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in ET.fromstring(text).iter()}  # noqa: S314
        expect({"title", "desc"} <= names, version, "the picture has no title or description")
        expect(not names & {"script", "image", "foreignObject"}, version, "the picture holds more than a drawing")
        expect(not UNSAFE.search(text), version, "the picture leads elsewhere")
        widths = [sum(len(span.text) for span in line) for line in step.after.sketch()]
        expect(widths, version, "the sketch is empty")
        expect(max(widths) <= COLUMNS, version, f"the sketch has {max(widths)} columns, and a terminal {COLUMNS}")


def every_cell_of_a_table_has_a_head_and_says_something(play: Play) -> None:
    """So a screen reader can name the subject of each cell."""
    for step in (play.steps[0], play.steps[len(play.steps) // 2], *[step for step, _ in _rulings(play)][-8:]):
        tables, version = step.after.tables(), step.after.version
        expect(tables, version, "there is no table")
        captions = [table.caption for table in tables]
        expect(all(captions) and len(set(captions)) == len(captions), version, "two tables are called the same")
        for caption, columns, rows in map(msgspec.structs.astuple, tables):
            expect({len(columns)} >= {*map(len, rows)}, version, f"{caption} has cells without a head")
            expect(all(map(all, (columns, *rows))), version, f"{caption} has empty cells")


def a_description_is_plain_json(play: Play) -> None:
    """A description is the same after it was written and read as JSON."""
    for step in _some(play):
        description = step.after.describe()
        same = msgspec.json.decode(msgspec.json.encode(description)) == description
        expect(same, step.after.version, "the description is not plain JSON")


# Hidden information


def a_card_that_lies_in_a_list_of_the_state_is_located(play: Play) -> None:
    """`located_cards` has all cards of each hand and of each list of cards.

    It looks at the fields of the state that are hands, or lists of cards or hands.
    """
    for step in play.steps:
        state = step.after
        if not isinstance(state, CardState):
            return
        box, located = state.copies, Counter(card for card in state.located_cards() if card)
        for field in state.__struct_fields__:
            value = getattr(state, field)
            lying = Counter(_cards_of([value] if isinstance(value, Hand) else value))
            if lying.keys() <= box.keys() and (missing := next(iter(lying - located), "")):
                why = (
                    f"{missing} is in `{field}` {lying[missing]} times, and in `located_cards` {located[missing]} times"
                )
                raise PromiseBrokenError(state.version, why)


def _cards_of(value: object) -> Iterator[str]:
    """The names in a list, and the known cards of its hands."""
    for each in value if isinstance(value, list) else ():
        if isinstance(each, Hand):
            yield from each.known
        elif isinstance(each, str):
            yield each


def a_view_is_what_one_could_record_who_saw_only_that(play: Play) -> None:
    """A view equals a fold of the moves as seen from the viewpoint. So no hidden fact can leak."""
    for viewpoint in _viewpoints(play):
        opened = play.opening()
        for step in play.steps:
            seen, version = step.move.seen(viewpoint), step.after.version
            if isinstance(seen, Move):
                broken = list(map(str, opened.breaches(seen)))
                expect(not broken, version, f"seen by {viewpoint.name}, {seen} breaks {', '.join(broken)}")
            effects = execute(opened, seen, version)
            expect(effects == step.effects, version, f"{viewpoint.name} learns other effects")
            view = f"the view of {viewpoint.name}"
            _expect_same(step.after.view(viewpoint), opened, version, f"{view} is not what it saw")
            _expect_same(opened.view(viewpoint), opened, version, f"{view} hides something again that it sees")


def what_is_offered_tells_nobody_what_he_may_not_know(play: Play) -> None:
    """A view offers the same entries, templates and blanks as a fold of the moves seen from the viewpoint."""
    for viewpoint in _viewpoints(play):
        opened, looked = play.opening(), {id(step) for step in _some(play)}
        for step in play.steps:
            if id(step) in looked:
                offered, fair = _offered(step.before.view(viewpoint)), _offered(opened)
                if offered != fair:
                    more, less = _only_in(offered, fair), _only_in(fair, offered)
                    why = f"the view of {viewpoint.name} offers {more}, and what it saw offers {less} instead"
                    raise PromiseBrokenError(step.before.version, why)
            execute(opened, step.move.seen(viewpoint), step.after.version)


def _offered(state: State) -> list[tuple[Any, ...]]:
    """Everything that an entry screen shows as possible entries."""
    legal = [(state.notation(move), state.notation_template(move), state.blanks(move)) for move in state.legal_moves()]
    return [*legal, *((state.notation_template(move), state.blanks(move)) for move in state.off_turn_moves())]


def _only_in(some: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> str:
    """The first of some possible entries that is not among the others."""
    return next((_brief(each) for each in some if each not in others), "nothing")


def the_record_sees_everything(play: Play) -> None:
    """Nothing is hidden from the record."""
    for step in play.steps:
        version, why = step.after.version, "something is hidden from the record"
        _expect_same(step.after.view(RECORD), step.after, version, why)
        expect(step.move.seen(RECORD) == step.move, version, f"{why}: a part of the move {step.move}")


def a_seat_that_sees_more_of_a_move_is_named_by_what_everybody_sees(play: Play) -> None:
    """`informed_seats` is the same in the public view.

    So a secret is sealed for its seat, and the seal reveals nothing.
    """
    for step in play.steps:
        move, version = step.move, step.after.version
        public = move.seen(PUBLIC)
        expect(
            public.informed_seats() == move.informed_seats(),
            version,
            f"`informed_seats` is {move.informed_seats()}, and {public.informed_seats()} in the move's public view",
        )
        for viewpoint in _viewpoints(play):
            seen = move.seen(viewpoint)
            knows = viewpoint.seat in move.informed_seats() or seen == public
            expect(knows, version, f"{viewpoint.name} sees more of {move} than everybody, and does not keep it")


def only_open_facts_are_filled_in_or_hidden(play: Play) -> None:
    """Chance and views change only unknown fields, so that exactly these can be revealed later."""
    chance = random.Random(0)
    for step, move in _moves(play):
        legal = list(islice(step.before.legal_moves(), 3))
        pairs = [(each, step.before.sample_chance(each, chance)) for each in legal]
        for one, other in [*pairs, (move, move.seen(PUBLIC))]:
            differ = {name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)}
            kept = type(one) is type(other) and differ <= set(play.ruleset.unknown_fields.get(type(one), ()))
            expect(kept, step.after.version, f"{other} differs from {one} in more than its open facts")


PROMISES: tuple[Promise, ...] = (
    legal_play_breaks_no_rule_and_comes_to_a_known_end,
    the_seat_on_turn_has_a_legal_move,
    every_legal_move_can_be_made,
    a_move_drawn_at_random_is_a_listed_one,
    a_policy_picks_legal_moves_and_changes_nothing,
    every_move_that_is_not_listed_breaks_a_rule_or_is_impossible,
    the_same_moves_make_the_same_state,
    states_survive_being_saved,
    a_copy_shares_nothing_that_changes,
    what_cannot_be_changes_nothing,
    looking_at_a_state_changes_nothing,
    a_replayed_move_does_what_a_judged_and_applied_one_does,
    moves_survive_json,
    what_is_written_in_notation_is_read_back,
    any_text_is_read_as_a_sound_move_or_refused_with_a_place,
    every_score_is_the_sum_of_lines_that_cite_a_rule_and_an_entry,
    every_effect_has_a_sentence_and_a_rule,
    a_picture_is_one_safe_document_with_words,
    every_cell_of_a_table_has_a_head_and_says_something,
    a_description_is_plain_json,
    a_card_that_lies_in_a_list_of_the_state_is_located,
    a_view_is_what_one_could_record_who_saw_only_that,
    what_is_offered_tells_nobody_what_he_may_not_know,
    the_record_sees_everything,
    a_seat_that_sees_more_of_a_move_is_named_by_what_everybody_sees,
    only_open_facts_are_filled_in_or_hidden,
)
"""The promises that are checked in every game."""


def sentence_of(promise: Callable[..., Any]) -> str:
    """The name of a promise or a fact as a sentence."""
    text = promise.__name__.replace("_", " ")
    return text[0].upper() + text[1:]


def find_broken(play: Play, promises: Iterable[Promise] = PROMISES) -> Iterator[tuple[Promise, PromiseBrokenError]]:
    """The promises that a game breaks, each with its error."""
    for promise in promises:
        try:
            promise(play)
        except PromiseBrokenError as error:
            yield promise, error
