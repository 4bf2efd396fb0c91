"""The options of the card game: a profile, and each option by itself for tables that differ from a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import Option, Title

if TYPE_CHECKING:
    from collections.abc import Mapping

AS_PROFILE = "profile"
"""The value of an option that follows the profile."""

PROFILES = ("rulebook", "2005", "booklet")
"""The older rulebook with its decisions, the readings of 2005, and the printed Japanese booklet."""

_PROFILES: dict[str, tuple[bool | int | str, bool | int | str, bool | int | str]] = {
    "action_gate": ("each3", "sum7", "each3"),
    "brigand_grace": (0, 2, 0),
    "windmill_tie": ("keep", "return", "keep"),
    "plague_double": (True, False, True),
    "spy_any": (True, False, True),
    "exchange_same_stack": (False, True, False),
    "own_turn_limit": ("immediate", "end", "immediate"),
    "harbor_own_cp": (0, 1, 0),
    "master_builder_optional": (False, True, False),
    "demolish": (False, True, False),
    "win_on": ("own_turn", "own_turn", "any_turn"),
    "alchemist_spy": ("2+3", "2+3", "1+4"),
    "conflict_refill": ("same_turn", "same_turn", "next_turn"),
}
"""The value of each option in the profiles, in their order."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """The options of a game: the effective value of each one.

    A newer option is left out at its default value, so that older records stay the same.
    """

    profile: str
    action_gate: str
    brigand_grace: int
    windmill_tie: str
    plague_double: bool
    spy_any: bool
    exchange_same_stack: bool
    own_turn_limit: str
    harbor_own_cp: int
    master_builder_optional: bool
    demolish: bool
    win_on: str
    alchemist_spy: str
    caravan_min: int
    target: int
    conflict_refill: str = "same_turn"


def resolve_options(chosen: Mapping[str, bool | int | str]) -> Options:
    """The value of each option: the chosen one, else the one of the profile."""
    profile = PROFILES.index(str(chosen["profile"]))
    values = dict(chosen)
    for name, profiles in _PROFILES.items():
        if values[name] == AS_PROFILE:
            values[name] = profiles[profile]
    return msgspec.convert(values, Options)


def _switch(name: str, en: str, ja: str, *rules: str, switchable: bool = True) -> Option:
    return Option(
        name=name,
        title=Title(en, ja),
        choices=(AS_PROFILE, *dict.fromkeys(_PROFILES[name])),
        default=AS_PROFILE,
        replaces=tuple(f"catan_cards:{rule}" for rule in rules),
        switchable=switchable,
    )


OPTIONS = (
    Option(
        name="profile",
        title=Title("Profile: the older rulebook, the readings of 2005, or the Japanese booklet", "ルールの版"),
        choices=PROFILES,
        default="rulebook",
        names=("rulebook", "2005", "Japanese booklet"),
    ),
    Option(
        name="target",
        title=Title("Victory points that win", "勝利に必要なポイント"),
        choices=tuple(range(3, 21)),
        default=12,
        replaces=("catan_cards:60",),
        switchable=True,
    ),
    _switch("action_gate", "Action cards once each has 3 points, or both 7 together", "アクションカードの条件", "Q10"),
    _switch("brigand_grace", "First turns of each player without brigands", "盗賊が出ない最初の手番数", "Q42"),
    _switch("windmill_tie", "The windmill token on a tie", "商業力が同点のときの風車コマ", "Q6"),
    _switch("plague_double", "Plague takes 2 between two cities", "二都市間の疫病で二つ失う", "Q23b"),
    _switch("spy_any", "The Spy takes any card", "スパイはどのカードも取れる", "Q19"),
    _switch("exchange_same_stack", "An exchange draws from the same stack", "交換は同じ山から引く", "Q12"),
    _switch("own_turn_limit", "The hand limit in one's own turn", "自分の手番の手札制限", "Q50"),
    _switch("harbor_own_cp", "Commerce points of the Harbor itself", "港自体の商業力", "Q20"),
    _switch("master_builder_optional", "Master Builder is optional", "建築マイスターは任意", "Q22"),
    _switch("demolish", "Own expansions may be demolished", "自分の拡大カードを取り壊せる", "Q52"),
    _switch("win_on", "In whose turn one wins", "勝利が決まる手番", "Q13"),
    _switch("alchemist_spy", "Alchemists and Spies in the box", "錬金術師とスパイの枚数", "63", "72", switchable=False),
    _switch("conflict_refill", "When a Conflict lets the hand be refilled", "諍いの後に補充できる手番", "Q21"),
    Option(
        name="caravan_min",
        title=Title("The least that a Caravan carries", "隊商の最小数"),
        choices=(1, 2),
        default=1,
        replaces=("catan_cards:Q17",),
        switchable=True,
    ),
)
