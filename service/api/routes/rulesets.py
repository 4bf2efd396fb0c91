"""Rulesets: the known games and their rules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from games.rulesets import RULESETS
from service.access.needs import OPEN
from service.api.answers.rulesets import AdjustmentInfo, RulesetDetail, RulesetList, RulesetSummary
from service.api.endpoints import Endpoints, reply
from service.api.rulebooks import notation_help
from service.api.schemas.games import BriefQuery
from service.languages import gettext, locale
from service.languages.sentences import lookup_terms, plain_line, translated_sentence, translated_text
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from flask import Response

    from games.contract import Adjustment, Ruleset

endpoints = Endpoints("rulesets")


@endpoints.route("GET", "/v1/rulesets", scope=OPEN, answer=RulesetList, conditional=True)
def list_rulesets() -> Response:
    """List the rulesets.

    Each with its seats and options; the rules themselves, and how moves are written, come with a single one.
    """
    return reply(RulesetList([RulesetSummary(**_summary(ruleset)) for ruleset in RULESETS.values()]))


@endpoints.route(
    "GET",
    "/v1/rulesets/<name>",
    scope=OPEN,
    query=BriefQuery(),
    answer=RulesetDetail,
    conditional=True,
    problems=("ruleset-unknown",),
)
def show_ruleset(name: str, query: dict[str, Any]) -> Response:
    """Show a ruleset.

    Its seats, options, rules by id, the notation of its moves, and a JSON Schema of them. The rules are in the language
    that `Accept-Language` asks for, where they are translated into it, as `lang` of each says; else in English. With
    `brief` the texts of the rules, the help, the options and the JSON Schemas are empty.
    """
    return reply((ruleset_for_record if query["brief"] else ruleset_detail)(ruleset_named(name), locale()))


def ruleset_named(name: str) -> Ruleset:
    """The ruleset of that name. Raises `ruleset-unknown`."""
    ruleset = RULESETS.get(name)
    if ruleset is None:
        raise ProblemError(
            "ruleset-unknown",
            gettext("no ruleset %(name)s; choose one of %(known)s", name=repr(name), known=", ".join(RULESETS)),
        )
    return ruleset


def _summary(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "revision": ruleset.revision,
        "min_seats": ruleset.seats[0],
        "max_seats": ruleset.seats[-1],
        "options": list(ruleset.options),
    }


@cache
def ruleset_detail(ruleset: Ruleset, language: str) -> RulesetDetail:
    """A ruleset as the API shows it, in a language."""
    return RulesetDetail(
        **_summary(ruleset),
        changes=[translated_text(change, language, ruleset.name) for change in ruleset.changes],
        seat_names=list(ruleset.seat_names),
        endings=list(ruleset.endings),
        notation_help=notation_help(ruleset, language),
        components_help=translated_text(ruleset.components_help, language, ruleset.name),
        rules=list(ruleset.rulebook_in(language).values()),
        effects={
            kind: translated_sentence(text, language, ruleset.name) for kind, text in ruleset.effect_sentences.items()
        },
        terms=lookup_terms(language, ruleset),
        moves=msgspec.json.schema(ruleset.moves),
        adjustments=[_adjustment(form, language, ruleset.name) for form in ruleset.adjustments],
    )


@cache
def ruleset_for_record(ruleset: Ruleset, language: str) -> RulesetDetail:
    """The part of a ruleset that a record needs: titles of rules, sentences of effects, and terms."""
    whole = ruleset_detail(ruleset, language)
    rules = [msgspec.structs.replace(rule, text="") for rule in whole.rules]
    empty: dict[str, Any] = {"options": [], "changes": [], "adjustments": [], "moves": {}}
    return msgspec.structs.replace(whole, rules=rules, notation_help="", components_help="", **empty)


def _adjustment(form: type[Adjustment], language: str, ruleset: str) -> AdjustmentInfo:
    schema = msgspec.json.schema(form)["$defs"][form.__name__]
    help_text = translated_text(plain_line(form.__doc__ or ""), language, ruleset)
    return AdjustmentInfo(str(form.__struct_config__.tag), help_text, schema)
