"""The findings of a proof, for a person or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click
import msgspec

from events.verification import Report, SealCounts
from service.cli.shell import screen
from service.cli.upkeep.database import counted_records
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from pathlib import Path

    from service.cli.proof.archive_proof import ArchiveProof


def print_findings(
    path: Path,
    report: Report,
    derived: list[str],
    missing: dict[str, int],
    as_json: bool,
    proof: ArchiveProof | None = None,
) -> None:
    """Print the findings, as JSON also the signed part of an archive. Exits with 1 if anything is wrong."""
    if as_json:
        sound = report.sound and not derived
        more = {"derived": derived, "not_replayed": missing}
        signed = {"signed": msgspec.to_builtins(proof)} if proof else {}
        screen.data({"sound": sound} | msgspec.to_builtins(report) | more | signed)
        raise click.exceptions.Exit(0 if sound else 1)
    looked = gettext(
        "%(counted)s of %(counted2)s",
        counted=ngettext("%(count)s entry", "%(count)s entries", report.events),
        counted2=counted_records(report.games, report.clubs),
    )
    if found := [*map(str, report.problems), *derived]:
        _complain_of(found, path, looked)
    screen.out().print(gettext("Sound: %(looked)s.", looked=looked))
    _tell_sound(report, missing)


def _complain_of(found: list[str], path: Path, looked: str) -> NoReturn:
    """Print the findings and how many there are. Exits with 1."""
    for finding in found:
        screen.out().print(finding, style="red")
    screen.complain(
        gettext(
            "%(counted)s wrong in %(path)s; checked: %(looked)s",
            counted=ngettext("%(count)s thing is", "%(count)s things are", len(found)),
            path=path,
            looked=looked,
        )
    )
    raise click.exceptions.Exit(1)


def _tell_sound(report: Report, missing: dict[str, int]) -> None:
    """Print what else a reader of a sound record should know. `missing` counts the games of rulesets not installed."""
    if report.irregular is not None or report.seals != SealCounts():
        _tell_contents(report)
    if report.bare_erasures:
        screen.hint(
            gettext(
                "Erased before this was recorded: %(counted)s. No entry says who erased it, and when.",
                counted=ngettext("%(count)s part", "%(count)s parts", report.bare_erasures),
            )
        )
    for ruleset, games in missing.items():
        screen.hint(
            gettext(
                "Not replayed: %(counted)s of %(ruleset)s, a ruleset that is not installed here.",
                counted=ngettext("%(count)s game", "%(count)s games", games),
                ruleset=ruleset,
            )
        )


def _tell_contents(report: Report) -> None:
    """Print the content of a sound file."""
    parts = report.seals
    screen.out().print(
        gettext(
            "Seals: %(open)s open, %(erased)s erased, %(shut)s closed.",
            open=parts.open,
            erased=parts.erased,
            shut=parts.shut,
        )
    )
    for each in report.signatures:
        seat = "-" if each.seat is None else each.seat
        screen.out().print(
            gettext(
                "Signature: entry %(version)s signs everything up to %(signs)s, seat %(seat)s, key %(key)s.",
                version=each.version,
                signs=each.signs,
                seat=seat,
                key=each.key,
            )
        )
    if report.irregular is not None:
        irregular = ngettext("%(count)s entry", "%(count)s entries", report.irregular)
        screen.out().print(gettext("Against the rules: %(counted)s.", counted=irregular))
