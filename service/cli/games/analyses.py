"""Analyses on the command line: asked for, followed, and told in lines and a chart."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import msgspec

from projections.analyses.kinds import KINDS
from projections.analyses.luck import LuckCounts
from projections.analyses.pace import GameTimeline
from projections.analyses.review import Review
from projections.analyses.rounding import rounded
from projections.analyses.turning import Decision, Option, TurningPoint, TurningPoints
from projections.analyses.winline import ROUGHEST, WinLine
from projections.analyses.worth import LuckEvent, LuckValue, WinChanceShift
from projections.audit import Audit
from service.api.answers.games import GameInfo
from service.api.figures import odds_text
from service.api.happened import option_text
from service.api.reviewing import (
    accuracy_text,
    amount_text,
    chance_text,
    count_sentences,
    has_chance,
    luck_sentences,
    names_of_sides,
    points_text,
    review_notes,
    share_text,
)
from service.api.storytelling import course_sentences
from service.cli.games.analysis_tables import csv_of
from service.cli.games.moments import tell_moments
from service.cli.shell import screen, wording
from service.cli.shell.arguments import at_option, game_argument, json_option, seat_option
from service.cli.shell.client import RefusedError, UnexpectedAnswerError, UnreachableError
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.patience import with_retries
from service.cli.shell.references import game_id
from service.cli.shell.seats import viewpoint
from service.cli.shell.sitters import Sitters, history_of
from service.languages import gettext, locale, ngettext, paragraph
from service.languages.sentences import with_translated_terms
from service.live.analysis_info import AnalysisInfo
from workers.analyses import ACTIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.table import Table

    from projections.analyses.refining import Simulation
    from service.cli.shell.client import Client

    OptionTeller = Callable[[Option, int], str]
    """Says what an option at an entry is, and how good."""

POLL_INTERVAL = 0.2
"""Seconds between two looks at an analysis that is being made, where no stream of it is to be had."""

OUTAGE_TIMEOUT = 60.0
"""Seconds that a service may be away: one that is started again goes on with the analysis."""

BARS = " ▁▂▃▄▅▆▇█"
WIDTH = 60
"""How many turns fit beside each other in a chart."""

PRINTERS = 10
"""How many events of chance are told in words: those that were worth most. All are in `--csv` and `--json`."""


@click.command()
@game_argument
@click.option(
    "--kind", type=click.Choice(list(KINDS)), default="timeline", show_default=True, help="The kind of analysis."
)
@click.option("--set", "given", multiple=True, metavar="NAME=NUMBER", help="A parameter of the kind; can be repeated.")
@seat_option
@at_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a table of comma-separated values.")
@json_option
@with_client()
def analyse(
    client: Client,
    game: str,
    kind: str,
    given: tuple[str, ...],
    seat: str | None,
    at: int | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Analyse a game: who led when, what chance brought, how likely everybody was to win.

    The service makes the analysis and keeps it, so the same request is answered at once. Ctrl-C ends the command, but
    not the analysis.
    """
    body: dict[str, Any] = {"kind": kind, "parameters": parameters(given)}
    game = game_id(client, game)
    if seat is not None:
        body["seat"] = viewpoint(client, game, seat)
    if at is not None:
        body["at"] = at
    found = wait_for_analysis(client, game, body)
    if as_json:
        screen.data(found)
        return
    result = msgspec.convert(found.result, KINDS[kind].result, strict=False)
    if as_csv:
        click.echo(csv_of(result), nl=False)
        return
    info = with_retries(lambda: client.get(f"/v1/games/{game}", GameInfo))
    people = Sitters(info.seats, lambda: with_retries(lambda: history_of(client, game, body.get("seat"))))
    screen.out().print(
        gettext(
            "%(kind)s of version %(version)s, seen from: %(viewpoint)s, revision %(revision)s.",
            kind=kind,
            version=found.version,
            viewpoint=found.viewpoint,
            revision=found.revision,
        )
    )
    _tell(
        msgspec.convert(_in_words(found.result, info.ruleset), type(result), strict=False),
        people,
        found.version,
        info.ruleset,
    )
    if isinstance(result, GameTimeline):
        tell_moments(client, found, result.moments, people, partial(_who, people))


class StreamedAnalysis(msgspec.Struct, frozen=True):
    """What a stream tells of an analysis, unless that is `gone`."""

    event: str
    analysis: AnalysisInfo | None = None


def parameters(given: Sequence[str]) -> dict[str, int]:
    """Parameters as they were typed, each once. Raises `UsageError`."""
    found: dict[str, int] = {}
    for text in given:
        name, number = _parameter(text)
        if name in found:
            raise click.UsageError(gettext("--set %(text)s: %(name)s is set twice.", text=text, name=name))
        found[name] = number
    return found


def _parameter(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not (name and number.isascii() and number.isdigit() and len(number) < 12):
        raise click.UsageError(gettext("--set %(text)s: write it as NAME=NUMBER.", text=text))
    return name, int(number)


def wait_for_analysis(client: Client, game: str, body: dict[str, Any]) -> AnalysisInfo:
    """The finished analysis. Raises `CommandError` if it cannot be made, or was cancelled."""
    found = with_retries(lambda: client.send("POST", f"/v1/games/{game}/analyses", AnalysisInfo, body), OUTAGE_TIMEOUT)
    path = f"/v1/games/{game}/analyses/{found.id}"
    progress, advance = screen.part_of(gettext("Analysing"))
    with progress:
        found = with_retries(lambda: client.get(path, AnalysisInfo), OUTAGE_TIMEOUT)
        while found.status in ACTIVE:
            # if it breaks off for any reason, look at the analysis all the same
            broken = suppress(RefusedError, UnreachableError, UnexpectedAnswerError)
            with broken, client.follow(f"{path}/stream", StreamedAnalysis) as events:
                for told in events:
                    if told.analysis:
                        advance(told.analysis.done, told.analysis.planned or None)
            found = with_retries(lambda: client.get(path, AnalysisInfo), OUTAGE_TIMEOUT)
            if found.status in ACTIVE:
                advance(found.done, found.planned or None)
                time.sleep(POLL_INTERVAL)
    if found.status != "done":
        raise CommandError(
            gettext("the analysis is %(status)s", status=found.status) + (f": {found.cause}" if found.cause else "")
        )
    return found


_TRANSLATED = {"title", "outcome", "policy", "category", "note"}
"""The members of results in which a ruleset speaks."""


def _in_words(found: Any, ruleset: str) -> Any:
    """A result with what the ruleset says in it as the reader's language has it."""
    if isinstance(found, list):
        return [_in_words(each, ruleset) for each in found]
    if not isinstance(found, dict):
        return found
    return {
        name: with_translated_terms(each, locale(), ruleset)
        if name in _TRANSLATED and isinstance(each, str)
        else _in_words(each, ruleset)
        for name, each in found.items()
    }


def _tell(result: Any, table: Sitters, version: int, ruleset: str) -> None:
    """Print a result of the record at a version."""

    def say(option: Option, entry: int) -> str:
        return f"{option_text(option, ruleset, table.at(entry))} {chance_text(option.chances)}, n = {option.n}"

    tell: dict[type, Callable[[Any, Sitters], None]] = {
        GameTimeline: _tell_timeline,
        LuckCounts: _tell_luck,
        WinLine: _tell_win_line,
        LuckValue: _tell_luck_value,
        TurningPoints: partial(_tell_turning_points, version=version, say=say),
        Review: partial(_tell_review, version=version, say=say),
        Audit: _tell_audit,
    }
    tell[type(result)](result, table)


def _who(table: Sitters, seat: int | None, entry: int | None = None) -> str:
    """Who is in a seat, or was when an entry was made."""
    if seat is None:
        return gettext("the table")
    seats = table.now if entry is None else table.at(entry)
    return wording.person(seats[seat]) if seat < len(seats) else wording.label(seat, seats)


def _side(found: Simulation, table: Sitters, seat: int, entry: int | None = None) -> str:
    """Who wins together with a seat, and who is in it, now or when an entry was made."""
    return names_of_sides(found, lambda each: _who(table, each, entry))(seat)


def _tell_timeline(found: GameTimeline, table: Sitters) -> None:
    if found.rounds:
        rows = screen.table(
            "from entry", "round", "leads", "ahead by", "scores", right=("from entry", "round", "ahead by")
        )
    else:
        rows = screen.table("from entry", "leads", "ahead by", "scores", right=("from entry", "ahead by"))
    for at in found.standings:
        leads = (
            gettext("all")
            if len(at.leaders) == len(table.now)
            else ", ".join(_who(table, seat, at.version) for seat in at.leaders)
        )
        begun = [str(each.round) for each in found.rounds if each.version <= at.version]
        in_round = [begun[-1] if begun else ""] if found.rounds else []
        rows.add_row(str(at.version), *in_round, leads, str(at.margin), ":".join(map(str, at.scores)))
    screen.out().print(rows)
    screen.out().print(paragraph(course_sentences(found, lambda seat, entry: _who(table, seat, entry))))
    for pace in filter(lambda pace: pace.turns, found.pace):
        took = (
            gettext("%(seconds)s s over %(timed)s of them", seconds=f"{pace.seconds:.0f}", timed=pace.timed)
            if pace.timed
            else gettext("without times")
        )
        turns = ngettext("%(count)s turn", "%(count)s turns", pace.turns)
        screen.out().print(gettext("%(who)s: %(turns)s, %(took)s.", who=_who(table, pace.seat), turns=turns, took=took))


def _tell_luck(found: LuckCounts, table: Sitters) -> None:
    if not found.events:
        screen.out().print(gettext("Nothing has come by chance so far."))
        return
    columns = ("what", "to", "outcome", "n", "got", "expected", "± SD", "z")
    rows = screen.table(*columns, right=columns[3:])
    for kind in found.kinds:
        counts = [(each.outcome, kind.n, each.count) for each in kind.outcomes]
        counts += [
            (gettext("brought to %(seat)s", seat=_who(table, each.seat)), each.n, each.count) for each in kind.brought
        ]
        for what, n, count in counts:
            z = "" if count.z is None else f"{rounded(count.z, 1):+.1f}"
            figures = (str(n), str(count.got), f"{rounded(count.expected, 1):.1f}", f"{rounded(count.sd, 1):.1f}", z)
            rows.add_row(kind.title, _who(table, kind.seat), what, *figures)
    screen.out().print(rows)
    for sentence in count_sentences(found, partial(_who, table), str):
        screen.out().print(sentence)
    screen.out().print(
        gettext(
            "%(n)s events of chance; %(left_out)s more are left out: their results or their odds are unknown.",
            n=found.n,
            left_out=found.left_out,
        )
    )
    if found.sampled:
        screen.out().print(_sampled(found.sampled, found.sample))


def _sampled(count: int, size: int) -> str:
    return ngettext(
        "The odds of %(count)s of them come from a sample of %(size)s or more ways in which hidden cards can lie: "
        "there are too many to count all.",
        "The odds of %(count)s of them come from samples of %(size)s or more ways in which hidden cards can lie: "
        "there are too many to count all.",
        count,
        size=size,
    )


def _tell_win_line(found: WinLine, table: Sitters) -> None:
    told = [point for point in found.points if point.chances]
    for start in range(0, len(told), WIDTH):
        some = told[start : start + WIDTH]
        screen.out().print(
            gettext("entries %(version)s to %(version2)s", version=some[0].version, version2=some[-1].version)
        )
        for seat in filter(found.stands_for_side, range(len(table.now))):
            bars = "".join(BARS[round(point.chances[seat].p * (len(BARS) - 1))] for point in some)
            last = some[-1].chances[seat]
            screen.out().print(f"{bars} {_side(found, table, seat)} {chance_text(last)}, n = {some[-1].n}")
    for swing in found.swings:
        chances = gettext("from %(p)s to %(p2)s %%", p=share_text(swing.before), p2=share_text(swing.after))
        screen.out().print(
            gettext(
                "The turn that ended with entry %(version)s took %(seat)s %(chances)s.",
                version=swing.version,
                seat=_side(found, table, swing.seat, swing.version),
                chances=chances,
            )
        )
    screen.out().print(_games_note(found))


def _tell_luck_value(found: LuckValue, table: Sitters) -> None:
    _tell_strokes(found, table)
    for kind in filter(lambda kind: kind.n, found.kinds):
        whose = "" if kind.seat is None else gettext(" of %(seat)s", seat=_who(table, kind.seat))
        everybody = list(filter(found.stands_for_side, range(len(table.now))))
        for seat in everybody if kind.seat is None else [kind.seat]:
            if kind.worth[seat].margin > ROUGHEST:
                continue
            points = gettext(
                "%(points)s of winning chance to %(seat)s",
                points=points_text(kind.worth[seat]),
                seat=_side(found, table, seat),
            )
            screen.out().print(
                gettext(
                    "%(counted)s%(whose)s, %(title)s: worth %(points)s, all together.",
                    counted=ngettext("%(count)s event", "%(count)s events", kind.n),
                    whose=whose,
                    title=kind.title,
                    points=points,
                )
            )
    _tell_all_luck(found, table)
    out = gettext(
        "%(left_out)s more events are left out: their results or their effects are unknown.",
        left_out=found.left_out,
    )
    screen.out().print(f"{out} {_games_note(found)}")


def _tell_strokes(found: LuckValue, table: Sitters) -> None:
    """The single events that are known to have been worth something."""
    rows = screen.table("entry", "to", "what", "came", "odds", "n", "worth", right=("entry", "odds", "n"))
    for event, seat in _greatest_events(found)[:PRINTERS]:
        what = (found_kind.title for found_kind in found.kinds if found_kind.kind == event.kind)
        wide = WinChanceShift(event.worth[seat].p, event.worth[seat].margin * found.wider)
        worth = gettext(
            "%(points)s for %(best)s", points=points_text(wide), best=_side(found, table, seat, event.version)
        )
        odds = odds_text(event.odds)
        rows.add_row(
            str(event.version),
            _who(table, event.seat, event.version),
            next(what),
            event.outcome,
            odds,
            str(event.n),
            worth,
        )
    if not rows.rows:
        screen.out().print(gettext("For every single event, the margin of error is larger than the effect."))
        return
    screen.out().print(rows)
    screen.out().print(
        gettext(
            "These stand out of %(n)s events of chance: "
            "in 95 of 100 cases the true values of all of them lie within “±”.",
            n=found.n,
        )
    )


def _tell_all_luck(found: LuckValue, table: Sitters) -> None:
    """What all events together were worth to each seat, as far as it is known."""
    if any(total.margin > ROUGHEST for total in found.total):
        screen.out().print(gettext("Too little is known to compute the total effect of luck."))
    for seat, total in enumerate(found.total):
        if total.margin > ROUGHEST or not found.stands_for_side(seat):
            continue
        screen.out().print(
            gettext(
                "All that is known of chance was worth %(points)s to %(seat)s.",
                points=points_text(total),
                seat=_side(found, table, seat),
            )
        )


def _greatest_events(found: LuckValue) -> list[tuple[LuckEvent, int]]:
    """The events that are known to have been worth something, of all together, the greatest first, each with a seat.

    It is the one that gained most for certain, or else the one that lost most.
    """
    strokes = list[tuple[float, LuckEvent, int]]()
    for event in found.events:
        known = [
            (worth.p, event, seat)
            for seat, worth in enumerate(event.worth)
            if worth.margin <= ROUGHEST and WinChanceShift(worth.p, worth.margin * found.wider).is_certain
        ]
        gains = [each for each in known if each[0] > 0]
        strokes += sorted(gains or known, key=_size)[:1]
    return [(event, seat) for _, event, seat in sorted(strokes, key=_size)]


def _size(stroke: tuple[float, LuckEvent, int]) -> float:
    return -abs(stroke[0])


def _tell_turning_points(found: TurningPoints, table: Sitters, version: int, say: OptionTeller) -> None:
    if not found.points:
        screen.out().print(gettext("No turn changed the chances by more than the uncertainty."))
    for point in found.points:
        span = gettext(
            "from %(chance)s to %(chance2)s", chance=chance_text(point.before), chance2=chance_text(point.after)
        )
        screen.out().print(
            gettext(
                "The turn that ended with entry %(version)s took %(who)s %(span)s:",
                version=point.version,
                who=_side(found, table, point.seat, point.version),
                span=span,
            )
        )
        screen.out().print(
            gettext(
                "  %(luck)s; what was decided, and became known: %(points)s.",
                luck=_luck_of(point),
                points=_worth(point.rest),
            )
        )
        for decision in point.decisions:
            screen.out().print(_decided(decision, table, version, say))
    screen.out().print(_games_note(found))


def _worth(worth: WinChanceShift) -> str:
    """Points with their margin, if they are known well enough."""
    return gettext("too little is known to tell") if worth.margin > ROUGHEST else points_text(worth)


def _luck_of(point: TurningPoint) -> str:
    """What the luck of a turn was worth, and how many events it was."""
    out = ""
    if point.left_out:
        out = gettext(", %(counted)s left out", counted=ngettext("%(count)s event", "%(count)s events", point.left_out))
    is_known = point.events or not point.left_out
    return gettext(
        "luck: %(points)s (%(counted)s%(out)s)",
        points=_worth(point.luck) if is_known else gettext("too little is known to tell"),
        counted=ngettext("%(count)s event", "%(count)s events", len(point.events)),
        out=out,
    )


def _decided(decision: Decision, table: Sitters, version: int, say: OptionTeller) -> str:
    """A decision, with what could have been done instead in the record at a version."""
    deed = gettext(
        "entry %(version)s, %(seat)s: %(option)s",
        version=decision.version,
        seat=_who(table, decision.seat, decision.version),
        option=say(decision.made, decision.version),
    )
    tried = gettext(
        "%(tried)s of %(counted)s tried",
        tried=decision.tried,
        counted=ngettext("%(count)s other option", "%(count)s other options", decision.legal - 1),
    )
    return gettext(
        "  %(deed)s; instead (%(tried)s): %(others)s. kifu fork --at %(at)s --after %(after)s",
        deed=deed,
        tried=tried,
        others="; ".join(say(other, decision.version) for other in decision.others) or gettext("nothing to compare"),
        at=version,
        after=decision.after,
    )


def _tell_review(found: Review, table: Sitters, version: int, say: OptionTeller) -> None:
    for own in found.seats:
        screen.out().print(f"{_who(table, own.seat)}: {accuracy_text(own)}")
        for slip in own.slips:
            screen.out().print(
                gettext(
                    "  entry %(version)s: %(made)s; better: %(better)s, by %(points)s. "
                    "kifu fork --at %(at)s --after %(after)s",
                    version=slip.version,
                    made=say(slip.made, slip.version),
                    better=say(slip.better, slip.version),
                    points=amount_text(slip.loss),
                    at=version,
                    after=slip.after,
                )
            )
    for sentence in (*luck_sentences(found, partial(_who, table)), *_where_counted(found), *review_notes(found)):
        screen.out().print(sentence)
    screen.out().print(_games_note(found))


def _where_counted(found: Review) -> Iterator[str]:
    if has_chance(found):
        yield gettext("All figures of luck: kifu analyse --kind luck-counts")


def _games_note(found: WinLine | LuckValue | TurningPoints | Review) -> str:
    if not found.games:
        return gettext("No games were simulated.")
    enough = (
        gettext("to within ± %(precision)s points", precision=found.precision)
        if found.enough
        else gettext("less precisely than requested")
    )
    return gettext(
        "From %(games)s simulated games, %(enough)s, if everybody plays %(policy)s (%(policy_revision)s), "
        "%(blunders)s of 100 moves at random.",
        games=found.games,
        enough=enough,
        policy=f"{found.policy!r}",
        policy_revision=found.policy_revision,
        blunders=found.blunders,
    )


def _tell_audit(found: Audit, table: Sitters) -> None:
    rows: Table = screen.table("entry", "seat", "points", "for", "rule", right=("entry", "points"))
    for line in found.lines:
        rows.add_row(str(line.version), _who(table, line.seat, line.version), f"{line.points:+}", line.note, line.rule)
    screen.out().print(rows)
    screen.out().print(gettext("Scores: %(scores)s", scores=":".join(map(str, found.scores))))
