"""Rulesets: the known games and their rules."""

from __future__ import annotations

import keyword
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from events import limits
from games.contract import choice_texts, option_text
from games.rulesets import NAME, RULESETS
from service.api.answers.rulesets import RulesetDetail, RulesetList
from service.api.syntax import example_of
from service.cli.games import layout
from service.cli.games.alike import naming_alike, print_command, show_command
from service.cli.shell import screen, wording
from service.cli.shell.arguments import force_option, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import check_target, save
from service.cli.shell.group import Group
from service.cli.shell.references import segment
from service.languages import ENGLISH, gettext, locale, localized, ngettext

if TYPE_CHECKING:
    from games.contract import Ruleset
    from games.examination.report import Verdict
    from service.cli.shell.client import Client


class _Rulesets(Group):
    """A group with the default command `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Understand `rulesets NAME` as `rulesets show NAME`."""
        if not ctx.resilient_parsing and args[:1] != ["--help"] and not set(args[:1]) & self.commands.keys():
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Rulesets, subcommand_metavar="[NAME] | COMMAND [ARGS]...")
def rulesets() -> None:
    """List the rulesets, or show one by its NAME; check one, or begin a new one.

    `kifu rulesets`, `kifu rulesets NAME` and `kifu rulesets show NAME` take the options of `show`.
    """


@rulesets.command()
@click.argument("name", default="")
@json_option
@with_client(anywhere=True)
def show(client: Client, name: str, as_json: bool) -> None:
    """List the rulesets, or show one: seats, options, notation and rules."""
    path = f"/v1/rulesets/{segment(name)}" if name else "/v1/rulesets"
    with naming_alike(client, name, show_command):
        if as_json:
            click.echo(client.fetch(path))
        elif name:
            _show(client.get(path, RulesetDetail))
        else:
            _list(client.get(path, RulesetList))


def _list(found: RulesetList) -> None:
    rows = screen.table("name", "title", "", "seats", "revision", right=("revision",))
    for known in found.rulesets:
        rows.add_row(
            known.name,
            localized(known.title),
            known.title.ja if locale() == ENGLISH else "",
            _seats(known.min_seats, known.max_seats),
            str(known.revision),
        )
    screen.out().print(rows)


@rulesets.command()
@click.argument("name")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.option("--template", help="The name of a ready score sheet, such as wizard.")
@click.option("--components", "kept", metavar="NAME", help="The name of a score sheet that is stored here.")
@click.option(
    "--seats",
    type=click.IntRange(1, limits.SEATS),
    help="The number of people. If left out: two, or the next number that the game allows.",
)
@force_option
@with_client(anywhere=True)
def sheet(
    client: Client, name: str, file: Path, template: str | None, kept: str | None, seats: int | None, force: bool
) -> None:
    """Write a blank sheet to FILE, as HTML to print and to fill in by hand.

    For a score sheet, give --template or --components.
    """
    check_target(file, force=force)
    query = {"template": template, "components_name": kept, "seats": seats}
    with (
        naming_alike(client, name, print_command),
        client.stream(f"/v1/rulesets/{segment(name)}/sheet", **query) as pieces,
    ):
        save(pieces, file)


@rulesets.command()
@click.argument("name")
@click.option(
    "--games", type=click.IntRange(1), default=12, show_default=True, help="The least number of random games."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the random games.")
@click.option("--write", is_flag=True, help="Write the expected results of the package's recorded games again.")
@json_option
def check(name: str, games: int, seed: int, write: bool, as_json: bool) -> None:
    """Check whether a ruleset keeps all promises of rulesets.

    It checks what the ruleset says of itself, its recorded games (`goldens/*.txt` in its package), and random games.
    They must be the same whenever they are replayed, saved, corrected or shown, and nobody may see what they must not
    know. The exit code is 1 if a promise is broken; the shortest game that breaks it is printed.
    """
    from service.cli.games import checking  # noqa: PLC0415 - nobody else needs all this

    ruleset = _installed(name)
    if write:
        for file in checking.write_goldens(ruleset):
            screen.hint(gettext("Written: %(file)s", file=file))
    verdicts = []
    for verdict in checking.check(ruleset, games, seed):
        verdicts.append(verdict)
        if not as_json:
            _tell(verdict)
    broken = [verdict for verdict in verdicts if not verdict.is_kept]
    speed = checking.speed(ruleset, games, seed)
    if as_json:
        screen.data({"kept": not broken, "moves_per_second": speed and round(speed), "promises": verdicts})
    elif speed:
        screen.out().print(gettext("Replayed at %(speed)s entries a second.", speed=f"{speed:,.0f}"))
    if broken:
        screen.complain(
            gettext(
                "%(name)s breaks %(counted)s of %(verdicts)s",
                name=name,
                counted=ngettext("%(count)s promise", "%(count)s promises", len(broken)),
                verdicts=len(verdicts),
            )
        )
        raise click.exceptions.Exit(1)
    if not as_json:
        screen.out().print(
            gettext("%(name)s keeps all %(verdicts)s promises.", name=name, verdicts=len(verdicts)), style="bold"
        )


def _tell(verdict: Verdict) -> None:
    """Print whether a promise is kept. If not, print how it is broken, and the game that breaks it."""
    out = screen.out()
    out.print(
        Text(
            gettext("kept    ") if verdict.is_kept else gettext("broken  "), style="green" if verdict.is_kept else "red"
        )
        + verdict.promise
    )
    if verdict.gaps:
        out.print(Text(f"        {verdict.gaps}"))
    for finding in verdict.findings:
        out.print(Text(f"        {finding.why}"))
        if finding.game:
            out.print(Text(gettext("        played with %(game)s:", game=finding.game)))
        for line in finding.record.splitlines():
            out.print(Text(f"          {line}"))


def _installed(name: str) -> Ruleset:
    """The ruleset of that name. Raises `CommandError`."""
    if name not in RULESETS:
        raise CommandError(
            gettext("no ruleset %(name)s; choose one of %(rulesets)s", name=f"{name!r}", rulesets=", ".join(RULESETS)),
            gettext("Is its package installed?"),
        )
    return RULESETS[name]


@rulesets.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--cards", is_flag=True, help="Create a game with hidden cards: hands and a deck.")
@json_option
def new(name: str, folder: Path | None, cards: bool, as_json: bool) -> None:
    """Create a package with a small, complete game called NAME, as the start of your own.

    The package is in FOLDER, by default kifu-NAME: a module, its RULES.md, a recorded game and a test. Install it with
    `pip install -e FOLDER`. Then `kifu rulesets check NAME` checks it and `kifu open NAME` opens a game.
    """
    if why := _bad_name(name):
        raise CommandError(
            gettext("a ruleset cannot be called %(name)s: %(why)s", name=f"{name!r}", why=why),
            gettext("Give it another name."),
        )
    folder = folder or Path(f"kifu-{name.replace('_', '-')}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(
            gettext("%(folder)s is there already", folder=folder), gettext("Name a folder that is new, or empty.")
        )
    files = layout.write_skeleton(name, folder, cards=cards)
    if as_json:
        screen.data({"folder": str(folder), "files": files})
        return
    for file in files:
        click.echo(f"{folder}/{file}")
    screen.hint(
        gettext(
            "Next: pip install -e %(folder)s, then `kifu rulesets check %(name)s` and `kifu open %(name)s`.",
            folder=folder,
            name=name,
        )
    )


def _bad_name(name: str) -> str:
    """Why a new ruleset cannot have a name; empty if it can. Its module gets this name, too."""
    if name in RULESETS:
        return gettext("a ruleset already has this name")
    if not NAME.fullmatch(name):
        return gettext("use at most 40 small letters, digits and _, and begin with a letter")
    if keyword.iskeyword(name) or find_spec(name):
        return gettext("the name means something else in Python here")
    return ""


def _show(ruleset: RulesetDetail) -> None:
    out = screen.out()
    out.print(
        Text(wording.titled(ruleset.title), style="bold").append(
            gettext("  %(name)s, revision %(revision)s", name=ruleset.name, revision=ruleset.revision),
            style="not bold dim",
        )
    )
    names = ", ".join(map(localized, ruleset.seat_names))
    out.print(gettext("%(seats)s seats: %(names)s", seats=_seats(ruleset.min_seats, ruleset.max_seats), names=names))
    for option in ruleset.options:
        choices = " | ".join(choice_texts(option.choices))
        out.print(
            gettext(
                "--option %(name)s=%(choices)s   %(title)s (default %(default)s)",
                name=option.name,
                choices=choices,
                title=localized(option.title),
                default=option_text(option.default),
            )
        )
    out.print(Text(gettext("\nNotation"), style="bold"))
    screen.glossary(ruleset.notation_help)
    if ruleset.adjustments:
        out.print(Text(gettext("\nAdjustments of a ruling"), style="bold"))
    for adjustment in ruleset.adjustments:
        out.print(f"{example_of(ruleset, adjustment)}\n    {adjustment.help}")
    out.print(Text(gettext("\nRules"), style="bold"))
    for rule in ruleset.rules:
        out.print(Text(f"{rule.id}  {wording.titled(rule)}", style="bold"))
        out.print(wording.reflow_prose(rule.text))


def _seats(least: int, most: int) -> str:
    return str(least) if least == most else gettext("%(least)s to %(most)s", least=least, most=most)
