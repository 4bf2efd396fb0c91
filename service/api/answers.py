"""What the API answers with: typed, encoded as they are, and described in openapi.yaml from these very types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from events.event import Event, timestamp
from events.types import Origin
from games.contract import Blank, Deciding, Option, Outcome, ScoreLine, SeatMarker, Title
from games.rulebook import Rule
from games.scoresheet.components import Source
from games.tables import Table
from projections.audit import Audit
from projections.claims import ClaimCompared
from projections.statistics.moves import KindMoves
from projections.statistics.people import PersonFigures
from projections.timeline import Entry, Erased
from projections.undoing import Reversal
from service.access.store import Filter
from service.exchange.incoming.taking import Taken
from service.languages import gettext_noop
from service.live.analysis_info import AnalysisInfo
from service.recording.judging import Recorded


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it stands in the log."""

    game: str
    version: int
    id: str
    type: str
    schema: int
    recorded_at: str
    happened_at: str | None
    recorder: str
    data: dict[str, Any]
    prev: str
    hash: str


class StoredEvents(msgspec.Struct, frozen=True):
    """Entries of a game as they stand in the log; `next` is the `after` of the next page.

    `recorders` are the names, by id, of the people and programs that recorded them.
    """

    game: str
    version: int
    events: list[Stored]
    recorders: dict[str, str]
    next: int | None


class FeedEntry(msgspec.Struct, frozen=True):
    """An event of any game, and the `cursor` after which the feed goes on."""

    cursor: str
    event: Stored


class DamagedGame(msgspec.Struct, frozen=True):
    """A game with missing entries in the feed from a `version` on, because they are damaged."""

    game: str
    version: int


class Feed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Events of all games in commit order; ask again with `after=next` for what comes.

    Cursors say nothing to a client; they are to be sent back. `recorders` are the names, by id, of the people and
    programs that recorded the entries. `damaged` are the games of the log with entries that are left out because they
    are damaged. Once a game is mended and not listed any more, its missing entries are read by the game's own address.
    """

    items: list[FeedEntry]
    recorders: dict[str, str]
    next: str
    damaged: list[DamagedGame] = []


class Embedded(msgspec.Struct, frozen=True):
    """The answer that an address would give: its `ETag`, and its JSON, or its text where it is a picture."""

    tag: str | None
    body: Any


class RecordedEntries(msgspec.Struct, frozen=True):
    """What became of the entries of a request. In a dry run nothing was stored and `version` is what it would be.

    `receipt` is where the receipt of the last one is found, which proves that all of it was recorded. `look` are the
    answers to what is asked for next from a point of view, by their addresses, if that was asked for.
    """

    game: str
    version: int
    entries: list[Recorded]
    receipt: str | None = None
    look: dict[str, Embedded] | msgspec.UnsetType = msgspec.UNSET


class RulesetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset, for lists."""

    name: str
    title: Title
    revision: int
    min_seats: int
    max_seats: int
    options: list[Option]


class AdjustmentInfo(msgspec.Struct, frozen=True):
    """Something that a ruling can change: its name, what it does, and a JSON Schema of its fields.

    A field with `x-seat` names a seat.
    """

    name: str
    help: str
    schema: dict[str, Any]


class RulesetDetail(RulesetSummary, frozen=True, kw_only=True):
    """A ruleset with all that an entry screen needs; `moves` is a JSON Schema of its moves.

    `components_help` says what can be entered of a box; it is empty where every box is the same. `terms` maps English
    names in small letters, the longest first, to names in the language of the answer. `{}` stands for a number, and
    `{0}` for it in the translation. It is empty in English.
    """

    changes: list[str]
    seat_names: list[Title]
    endings: list[str]
    notation_help: str
    components_help: str
    rules: list[Rule]
    effects: dict[str, str]
    terms: dict[str, str]
    moves: dict[str, Any]
    adjustments: list[AdjustmentInfo]


class RulesetList(msgspec.Struct, frozen=True):
    """Every ruleset that this service knows."""

    rulesets: list[RulesetSummary]


class SchemaInfo(msgspec.Struct, frozen=True):
    """A JSON Schema: its name, what it describes, and the path where it is."""

    name: str
    describes: str
    path: str


class SchemaList(msgspec.Struct, frozen=True):
    """Every JSON Schema of exported records."""

    schemas: list[SchemaInfo]


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat: what the ruleset calls it, who sits there, and the name if it has not been erased."""

    seat: int
    label: Title
    player: str | None
    name: str | None


class OriginInfo(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Where a fork went off: the game, the version of its record, its hash there, and after which entry, if one."""

    game: str
    version: int
    hash: str | None
    after: int | None = None


class Unreplayable(msgspec.Struct, frozen=True):
    """The entry of a record that cannot be carried out: it can be withdrawn or replaced. Why, is told to the owner."""

    entry: int
    why: str | None


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it stands now. `to_move` is the seat that moves next, `origin` the place where a fork begins.

    `revision` is the one of its rules that it goes by, `adopted_by` the entry that moved it on to that one, if any did.
    `status` is `playing`, `finished`, `adjudicated` (ended by a ruling) or `abandoned`. `closed` says how the record
    was closed, if it is. A game is `unreadable` if an entry of it cannot be carried out: `unreplayable` says which and
    why. Then `to_move`, `scores`, `outcome` and `irregular` are those before it. Where its ruleset is not installed,
    the unreplayable entry is the opening, and only the players are known. `undo` takes back what was done last. `redo`
    brings back what undo took last, if nothing was done since. Both are entries to be appended as they are; there are
    none while the record is closed. `redo` brings back an older withdrawn entry only until something else is recorded.
    `deciding` says what ranks the seats where the scores do not: what it is, and the value of each seat. `played_at` is
    when the opening happened, by the clock of the table if that is known, and `opened_at` when it was recorded.
    Only the owner gets hashes: with one, guesses at hidden facts could be tested.
    """

    game: str
    ruleset: str
    revision: int
    adopted_by: int | None
    title: str
    place: str
    options: dict[str, bool | int | str]
    seats: list[SeatInfo]
    played_at: str
    opened_at: str
    last_at: str
    version: int
    hash: str | None
    status: str
    closed: str | None
    origin: OriginInfo | None
    to_move: int | None
    scores: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    outcome: Outcome | None
    irregular: dict[int, tuple[str, ...]]
    unreplayable: Unreplayable | None
    undo: Reversal | None
    redo: Reversal | None


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list. `status` may also be `unreadable`, and `reason` then says why.

    `game_name` is what was played where the ruleset does not say it. `played_at` is when the opening happened, by the
    clock of the table if that is known, and `day` is its date there. `ranks` are empty without an outcome. `together`
    says that all won or lost as one.
    """

    game: str
    ruleset: str
    title: str
    place: str
    game_name: Title | None
    played_at: str
    day: str
    seats: list[SeatInfo]
    opened_at: str
    last_at: str
    version: int
    status: str
    reason: str | None
    winners: list[int]
    scores: list[int]
    ranks: list[int]
    together: bool
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    irregular: int
    origin: str | None


class ExportInfo(msgspec.Struct, frozen=True):
    """An export: the name of its file, its media type, what it is for, and where it is.

    `bytes` is its size. It is measured if it is `exact`, and else estimated from some of the games.
    """

    name: str
    media_type: str
    purpose: str
    href: str
    bytes: int
    exact: bool


class ExportList(msgspec.Struct, frozen=True):
    """The exports, of how many games, and how many entries these have."""

    games: int
    entries: int
    exports: list[ExportInfo]


class TrackerLink(msgspec.Struct, frozen=True):
    """The link that hands a game to a play tracker, if it has ended, and whether it is too long for some phones."""

    url: str | None
    too_long: bool


class GameList(msgspec.Struct, frozen=True):
    """Games, the last recorded first; `next` is the cursor of the next page."""

    games: list[GameListed]
    next: str | None


class StateInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a game at a version, as it can be known from `viewpoint` (`record`, `public` or `seat-N`).

    Only the record itself has the `hash` of its entry. `markers` go round the table: who deals, who begins.
    """

    game: str
    version: int
    hash: str | None
    ruleset: str
    viewpoint: str
    to_move: int | None
    scores: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    outcome: Outcome | None
    state: dict[str, Any]
    tables: list[Table]


class LegalMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that the rules allow, as data and as one types it.

    `blanks` are facts that it leaves open, each a `{}` in the `template`. As long as none is filled in, the notation
    says it; else a blank that is not filled in is `?`, or nothing if it is optional.
    """

    move: dict[str, Any]
    notation: str
    blanks: tuple[Blank, ...] = ()
    template: str | None = None


class Aside(msgspec.Struct, frozen=True):
    """What can be entered beside the play once its blanks are filled in: a hand noted, cards shown, a barter.

    Each of the `blanks` is a `{}` in the `template`.
    """

    type: str
    seat: int | None
    template: str
    blanks: tuple[Blank, ...]


class LegalMoves(msgspec.Struct, frozen=True):
    """All moves that the rules allow now, as far as can be known from the viewpoint, and what goes beside the play.

    `irregular` are moves that break a rule and can be made all the same, where they are asked for: an entry of one has
    an `override`. Of a kind with very many of them not all are told.
    """

    game: str
    version: int
    to_move: int | None
    moves: list[LegalMove]
    asides: list[Aside]
    irregular: list[LegalMove] = []


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score audit of a game at a version: every point, its entry, and its rule spelled out in `rules`.

    `irregular` has the entries that can be known to be so, and only the record itself has the `hash` of its entry.
    """

    game: str
    version: int
    hash: str | None
    ruleset: str
    revision: int
    scores: list[int]
    lines: list[ScoreLine]
    outcome: Outcome | None
    irregular: dict[int, tuple[str, ...]]
    rules: list[Rule]


class SnapshotInfo(msgspec.Struct, frozen=True):
    """A scoring snapshot: the audit of a game at a version under a revision of its rules, stored once by a worker.

    The public is shown of it what the public may know.
    """

    version: int
    revision: int
    hash: str | None
    created_at: str
    audit: Audit


class Snapshots(msgspec.Struct, frozen=True):
    """A game's scoring snapshots, the newest first; `next` is the `before` of the next page."""

    game: str
    snapshots: list[SnapshotInfo]
    next: int | None


class Analyses(msgspec.Struct, frozen=True):
    """A game's analyses, without their results, the last asked for first; `next` is the `cursor` of the next page."""

    game: str
    analyses: list[AnalysisInfo]
    next: str | None


class Timeline(msgspec.Struct, frozen=True):
    """Entries of a game with what they did; `next` is the `after` of the next page.

    `people` are the names, by id, of people who took a seat or ruled as a referee in these entries. If the caller may
    know people, it also has those of the people and programs that recorded them.
    """

    game: str
    version: int
    entries: list[Entry]
    people: dict[str, str]
    next: int | None


class Claims(msgspec.Struct, frozen=True):
    """What the table wrote down, claim by claim, beside the audit of the same moment."""

    game: str
    version: int
    claims: list[ClaimCompared]


class EntryProof(msgspec.Struct, frozen=True, kw_only=True):
    """That an entry is in the tree over the log: at `index`, in the tree of `size` with this `root`.

    `proof` are the hashes beside its way up, from the leaf on (RFC 9162); `checkpoint` is the signed note that says so.
    """

    game: str
    version: int
    hash: str
    index: int
    size: int
    root: str
    proof: list[str]
    checkpoint: str


class Consistency(msgspec.Struct, frozen=True, rename={"older": "from", "newer": "to"}):
    """That the tree of `to` entries begins as the one of `from` entries; `proof` is that of RFC 9162."""

    older: int
    newer: int
    proof: list[str]


class Forked(msgspec.Struct, frozen=True):
    """A game that went off from another one, and the version up to which it was given its entries."""

    game: str
    version: int
    origin: Origin


class Player(msgspec.Struct, frozen=True):
    """A person who plays; only the id is in the record."""

    id: str
    name: str


class PlayerList(msgspec.Struct, frozen=True):
    """People by name."""

    players: list[Player]


class MergeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An id of a person who was entered several times: they go by the one `into` which it was merged, since when.

    `name` is the name that it was entered with; `by` is the person who merged it.
    """

    player: str
    name: str | None
    into: str
    since: str
    by: str


class PlayerDetail(msgspec.Struct, frozen=True):
    """A person, by the id that they go by, and the ids that were `merged` into it. `listed`: in public tables."""

    id: str
    name: str | None
    merged: list[MergeInfo]
    listed: bool


class PersonStatistics(msgspec.Struct, frozen=True):
    """The statistics of a person, and the names of the people in them by id.

    `rating` is that of all their games of this kind, null before the fifth, and `history` says how it came about.
    """

    player: str
    names: dict[str, str]
    figures: PersonFigures
    rating: RatingInfo | None
    history: list[RatingStep]


class MoveStatistics(msgspec.Struct, frozen=True):
    """Statistics from the moves of `n` games, `read` of them so far, by kind of game; names are by id."""

    n: int
    read: int
    names: dict[str, str]
    kinds: tuple[KindMoves, ...]


class RatingInfo(msgspec.Struct, frozen=True):
    """A person's rating after `n` games: `points` are a careful estimate, `mu` less three times its uncertainty."""

    player: str
    n: int
    points: float
    mu: float
    sigma: float


class RatingStep(msgspec.Struct, frozen=True):
    """A game in the history of a rating: the predicted chance to win, the result, and the rating after it.

    `played_at` is in milliseconds since 1970.
    """

    game: str
    played_at: int
    predicted: float
    won: bool
    rating: RatingInfo


class BrierScore(msgspec.Struct, frozen=True):
    """The mean squared error of `n` predictions; `uniform` is that of the same chance for all seats."""

    n: int
    score: float
    uniform: float


class RatingList(msgspec.Struct, frozen=True):
    """The ratings of people, the strongest first, their names by id, and how good the predictions were.

    `newcomers` have too few games for a rating.
    """

    ratings: list[RatingInfo]
    newcomers: list[RatingInfo]
    names: dict[str, str]
    brier: BrierScore | None


class MergeList(msgspec.Struct, frozen=True):
    """Ids that were merged into others, the oldest merge first; `people` are the names of those who are kept."""

    merges: list[MergeInfo]
    people: dict[str, str]


MergeReason = Literal["same-name", "same-plays", "spelling"]

MERGE_REASONS: dict[MergeReason, str] = {
    "same-name": gettext_noop("the same name"),
    "same-plays": gettext_noop("the same plays"),
    "spelling": gettext_noop("names that are alike"),
}
"""Why a merge is proposed, the surest reason first."""


class MergeProposal(msgspec.Struct, frozen=True):
    """Two people who seem to be one, with their games that the caller may see, and why."""

    player: str
    name: str
    plays: int
    into: str
    into_name: str
    into_plays: int
    why: MergeReason


class MergeProposals(msgspec.Struct, frozen=True):
    """Proposed merges, the surest first."""

    proposals: list[MergeProposal]


class MergeFigures(msgspec.Struct, frozen=True):
    """The games of a person, the wins against others beside chance, and the rating from five games on."""

    n: int
    against: int
    wins: int
    by_chance: float
    rating: float | None


class MergePreview(msgspec.Struct, frozen=True):
    """The figures of both people before a merge, and of the one after it.

    `together` are games in which both sit. `shares` are the scopes that each has of the other then.
    """

    player: str
    into: str
    names: dict[str, str]
    together: int
    shares: list[str]
    before: list[MergeFigures]
    after: MergeFigures


class ComponentsInfo(msgspec.Struct, frozen=True):
    """What was entered of a box, under a name. `invented` are those made up to try things out; nobody entered them.

    These, and those that a dry run judged, were created at no time.
    """

    ruleset: str
    name: str
    data: dict[str, Any]
    created_at: str | None
    invented: bool


class ComponentsList(msgspec.Struct, frozen=True):
    """Components of a ruleset, by name."""

    components: list[ComponentsInfo]


class TemplateInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a score sheet's template is called, and what it says about itself.

    `name` is what a game is opened with: the option `template`, or `components_name` for one that is `kept` here. At
    `path` lies the template. `sources` are the public rules that it was held against, and `checked` says more about
    that; none, and null, if it was not. `options` can be added to the name of a ready one: `spades+minus`.
    """

    name: str
    kept: bool
    title: str
    ja: str | None
    aliases: list[str]
    about: str | None
    checked: str | None
    sources: list[Source]
    options: list[TemplateChoice]
    columns: int
    path: str


class TemplateChoice(msgspec.Struct, frozen=True):
    """A house rule or an expansion of a template: what is added to its name, and what it is called."""

    id: str
    title: Title


class TemplateList(msgspec.Struct, frozen=True):
    """Templates that were found, the best first, and how many there are in all."""

    templates: list[TemplateInfo]
    found: int


class Playable(msgspec.Struct, frozen=True):
    """What can be played, and what opens it: a ruleset, and for a score sheet its `template` or its `components`.

    `fits` is `name`, or `near` for a similar name, or `any` for the sheet that fits any game. `played_at` is when it
    was last played, as far as the caller sees games.
    """

    title: Title
    ruleset: str
    template: str | None
    components: str | None
    fits: str
    played_at: str | None


class PlayableList(msgspec.Struct, frozen=True):
    """What can be played, the best first, and how much there is in all."""

    playable: list[Playable]
    found: int


class TemplateData(msgspec.Struct, frozen=True):
    """A ready template, as it is embedded into a game."""

    name: str
    data: dict[str, Any]


class TokenInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A token or a session, without its secret: its person, what it may do at most, and how long.

    `kind` is `own` (the owner's), `dev` (a device of a person), `app` (a program) or `ses` (a session). Without
    `scopes` it may do all that the person may, without `games` everywhere. `app` is what the log calls the program.
    """

    id: str
    kind: str
    name: str
    person: str
    person_name: str | None
    app: str | None
    scopes: list[str] | None
    games: list[str] | None
    begun_at: str
    used_on: str | None
    ends_at: str | None


class TokenList(msgspec.Struct, frozen=True):
    """Tokens and sessions that open something."""

    tokens: list[TokenInfo]


class ReadInfo(msgspec.Struct, frozen=True):
    """A game that was read with a token, first on `first_on` and last on `last_on`.

    `game` is null if all games were read at once, for example by the feed.
    """

    token: str
    game: str | None
    title: str | None
    first_on: str
    last_on: str


class TokenFamily(msgspec.Struct, frozen=True):
    """What was made with a token, directly or in turn, and still works; and the games that were read with any of it."""

    tokens: list[TokenInfo]
    links: list[LinkInfo]
    webhooks: list[WebhookInfo]
    reads: list[ReadInfo]


class MadeToken(msgspec.Struct, frozen=True):
    """A new token. It is shown this once, and not kept."""

    token: str
    info: TokenInfo


class GameRoleInfo(msgspec.Struct, frozen=True):
    """What somebody was said to be in a game, and what they may do there."""

    game: str
    role: str | None
    seats: list[int]
    scopes: list[str]


class WhoAmI(msgspec.Struct, frozen=True):
    """The caller: their token, their role on the service, and what they may do there and in single games."""

    token: TokenInfo
    role: str | None
    scopes: list[str]
    games: list[GameRoleInfo]


class TestedToken(msgspec.Struct, frozen=True):
    """A token that opens this service."""

    person: str
    scopes: list[str]
    ends_at: str | None


class TestedTokens(msgspec.Struct, frozen=True):
    """What tokens open; null for those that open nothing."""

    tokens: dict[str, TestedToken | None]


class LoginLink(msgspec.Struct, frozen=True):
    """An address that logs a browser in, once, before `ends_at`.

    It is a `path` under this service. Phones reach the service at the URL `base`, as far as it knows.
    """

    path: str
    ends_at: str
    base: str = ""


class InvitationInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An open invitation: the person, the game and seat if it is for one, and until when.

    `code` is what to type at `/join`; it is null once the service was restarted, after which the link alone opens.
    """

    id: str
    player: str
    name: str | None
    game: str | None
    seat: int | None
    code: str | None
    begun_at: str
    ends_at: str
    by: str


class InvitationList(msgspec.Struct, frozen=True):
    """Invitations that are open."""

    invitations: list[InvitationInfo]


class MadeInvitation(msgspec.Struct, frozen=True):
    """A new invitation: its address, which is shown this once, and not kept.

    It is a `path` under this service. Phones reach the service at the URL `base`, as far as it knows.
    """

    path: str
    ends_at: str
    info: InvitationInfo
    base: str = ""


class DeviceAuthorization(msgspec.Struct, frozen=True):
    """What a device shows, and what it asks with, every `interval` seconds (RFC 8628)."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class AccessToken(msgspec.Struct, frozen=True):
    """The token of a device (RFC 6749). It is shown this once, and not kept."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str


class OAuthFailure(msgspec.Struct, frozen=True):
    """Why nothing is granted (RFC 6749)."""

    error: str
    error_description: str


class AuthorizationServer(msgspec.Struct, frozen=True):
    """What there is of OAuth (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    device_authorization_endpoint: str
    grant_types_supported: list[str]
    response_types_supported: list[str]
    response_modes_supported: list[str]
    code_challenge_methods_supported: list[str]
    authorization_response_iss_parameter_supported: bool
    scopes_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]


class LinkInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A share link, without its secret: the `seat` that it shows the game from, and the version `at` if it shows only
    one.
    """

    id: str
    game: str
    name: str
    seat: str
    at: int | None
    begun_at: str
    ends_at: str
    opened: int
    by: str


class LinkList(msgspec.Struct, frozen=True):
    """Share links of games, and the titles of these games, by their ids, as far as they have any."""

    links: list[LinkInfo]
    titles: dict[str, str]


class MadeLink(msgspec.Struct, frozen=True):
    """A new share link: its address under this service. It is shown this once, and not kept."""

    path: str
    info: LinkInfo


class WebhookInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint, without its secret: where it is, what it is told of, and how it gets along.

    `state` is `working`, `paused` (switched off by `enabled`), `disabled` (nothing arrived for three days, or the
    receiver wanted no more), or `stopped`. A `stopped` one lost its right: its maker may not see this any more, or the
    token that made it has ended. `why` says more. `waiting` messages are still to arrive, `failed` ones were given up.
    Until `old_secret_ends` messages are signed with the secret before, too.
    """

    id: str
    url: str
    description: str
    format: Literal["standard", "cloudevents"]
    filter: Filter
    enabled: bool
    state: Literal["working", "paused", "disabled", "stopped"]
    why: str | None
    disabled_at: str | None
    waiting: int
    failed: int
    person: str
    app: str | None
    by: str
    begun_at: str
    old_secret_ends: str | None


class WebhookList(msgspec.Struct, frozen=True):
    """Endpoints of webhooks."""

    webhooks: list[WebhookInfo]


class MadeWebhook(msgspec.Struct, frozen=True):
    """An endpoint with its new secret. It is shown this once."""

    secret: str
    info: WebhookInfo


class AttemptInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt: when it ended, the status of the answer, or what went wrong, and how many milliseconds it took."""

    at: str
    status: int | None
    error: str | None
    took: int


class DeliveryInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A message for an endpoint; `webhook_id` is what the receiver knows it by.

    `state` is `waiting`, `delivered`, `failed` (given up), or `withheld`: its game may not be seen any more. `due_at`
    is when it is sent next. A trial is about no game.
    """

    id: str
    webhook_id: str
    type: str
    game: str | None
    from_: int | None = msgspec.field(name="from")
    to: int | None
    made_at: str
    state: Literal["waiting", "delivered", "failed", "withheld"]
    due_at: str | None
    attempts: list[AttemptInfo]


class DeliveryList(msgspec.Struct, frozen=True):
    """Deliveries, the newest first; `next` is what to ask for `before` to see older ones."""

    deliveries: list[DeliveryInfo]
    next: str | None


class RoleInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a person was given: a role or none, and seats to play; since when, and who gave it."""

    player: str
    name: str | None
    role: str | None
    seats: list[int]
    since: str
    by: str


class RoleList(msgspec.Struct, frozen=True):
    """Who was given what."""

    roles: list[RoleInfo]


class GameVisibility(msgspec.Struct, frozen=True):
    """Who may see a game: `private`, `link` or `public`; `since` when, if anybody has said so."""

    game: str
    visibility: str
    since: str | None


class StepInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the trail: who did what, when, and to whom or with what."""

    number: int
    at: str
    by: str
    what: str
    person: str | None = None
    game: str | None = None
    credential: str | None = None
    more: Mapping[str, Any] = {}


class Trail(msgspec.Struct, frozen=True):
    """The trail, the oldest first, the names of those in it, and the `after` of the next page."""

    steps: list[StepInfo]
    people: dict[str, str]
    next: int | None


class ImportedGame(msgspec.Struct, frozen=True):
    """A game of an imported file, and the version that it has with the last entry of the file."""

    game: str
    version: int


class Imported(ImportedGame, frozen=True, omit_defaults=True):
    """What was imported: the game, and the version that it has with the last entry of the file.

    Of a file with several games these are those of the first, and all of them are in `games`.
    """

    games: tuple[ImportedGame, ...] = ()


class ImportedPerson(msgspec.Struct, frozen=True):
    """A name in a file of plays, and who has it here.

    `how` is `same`, `near` (the name differs in case, width or Unicode form alone), `new`, or `guest`: nobody is made.
    `player` is told to those who may read people.
    """

    name: str
    how: Literal["same", "near", "new", "guest"]
    player: str | None = None


class ImportedPlays(msgspec.Struct, frozen=True):
    """What became of the plays of a file, in its order, and of the people in them.

    `columns` says which column of a CSV file was taken for what. `next` is the `after` that goes on with the file.
    """

    items: list[Taken]
    people: list[ImportedPerson]
    columns: dict[str, str]
    next: int | None


class Erasures(msgspec.Struct, frozen=True):
    """What was ever erased of an entry."""

    game: str
    entry: int
    erased: list[Erased]


def public_event(event: Event) -> Stored:
    """The event as the API shows it."""
    return Stored(
        game=event.game,
        version=event.version,
        id=event.id,
        type=event.type,
        schema=event.schema,
        recorded_at=timestamp(event.recorded_at),
        happened_at=event.happened_at,
        recorder=event.recorder,
        data=event.data,
        prev=event.prev,
        hash=event.hash,
    )


class ClubMember(msgspec.Struct, frozen=True):
    """A member of a club. The name is null if it was erased."""

    player: str
    name: str | None
    role: Literal["member", "organiser"]


class HouseRules(msgspec.Struct, frozen=True):
    """How a club plays a ruleset."""

    ruleset: str
    options: dict[str, Any]
    text: str


class ClubListed(msgspec.Struct, frozen=True, kw_only=True):
    """A club in the list of clubs."""

    club: str
    name: str
    description: str
    public: bool
    members: int
    founded_at: str
    version: int


class ClubList(msgspec.Struct, frozen=True):
    """Clubs, by name."""

    clubs: list[ClubListed]


class ClubInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A club as it is now. `games` are those that you may see; `organises` says whether you may change it."""

    club: str
    name: str
    description: str
    public: bool
    founded_at: str
    version: int
    members: list[ClubMember]
    rules: list[HouseRules]
    games: list[str]
    organises: bool


class ClubEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a club, tournament or season. One that does not `count` was withdrawn."""

    version: int
    id: str
    type: str
    data: dict[str, Any]
    recorded_at: str
    hash: str
    counts: bool


class ClubHistory(msgspec.Struct, frozen=True):
    """The entries of a club, tournament or season, the oldest first, and the names of people in them."""

    entries: list[ClubEntry]
    names: dict[str, str]


class TournamentListed(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in the list of tournaments."""

    tournament: str
    name: str
    public: bool
    format: str
    club: str | None
    players: int
    rounds: int
    founded_at: str
    version: int


class TournamentList(msgspec.Struct, frozen=True):
    """Tournaments, the newest first."""

    tournaments: list[TournamentListed]


class TournamentPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays. `first` is the first round, `last` the last one before leaving."""

    player: str
    name: str | None
    seed: int
    first: int
    last: int | None


class TournamentTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, by seat. `game` is shown to those who may see it. `corrected` are the places that it said before."""

    players: list[str]
    group: int | None
    places: list[int] | None
    scores: list[float] | None
    forfeits: list[int]
    game: str | None
    corrected: list[int] | None


class TournamentBye(msgspec.Struct, frozen=True):
    """Somebody without a table, and why."""

    player: str
    kind: str


class TournamentRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round, by table. One that is `outdated` was paired by results that games have corrected since."""

    stage: str
    paired_at: str
    outdated: bool
    over: bool
    tables: list[TournamentTable]
    byes: list[TournamentBye]


class TieBreakLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a round adds: `factor` of what is counted `of` its opponents. One that is `cut` does not count.

    `adjusted`: the opponents' points count otherwise than they stand, as they left rounds unplayed at the end.
    """

    round: int
    kind: str
    value: float
    opponents: list[str] = []
    of: float | None = None
    factor: float | None = None
    adjusted: bool = False
    cut: bool = False


class TieBreakValue(msgspec.Struct, frozen=True):
    """A tie-break of a player, and its lines."""

    name: str
    value: float
    lines: list[TieBreakLine]


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table. Equal ranks are a tie that nothing decided."""

    rank: int
    player: str
    points: float
    played: int
    group: int | None
    tie_breaks: list[TieBreakValue]


class TournamentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with its rounds, and its table after the round `after`. `organises`: you may change it."""

    tournament: str
    name: str
    description: str
    public: bool
    ruleset: str | None
    club: str | None
    club_name: str | None
    rules: dict[str, Any]
    founded_at: str
    version: int
    organisers: list[str]
    organises: bool
    players: list[TournamentPlayer]
    rounds: list[TournamentRound]
    after: int
    table: list[TournamentRow]


class SeasonListed(msgspec.Struct, frozen=True, kw_only=True):
    """A season in the list of seasons."""

    season: str
    name: str
    club: str
    club_name: str
    first: str | None
    last: str | None
    founded_at: str
    version: int


class SeasonList(msgspec.Struct, frozen=True):
    """Seasons, the newest first."""

    seasons: list[SeasonListed]


class SeasonBonus(msgspec.Struct, frozen=True):
    """Points that a game gives beside those for its places."""

    kind: str
    points: int


class SeasonLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a game gives: points for the place, and bonuses. `corrected` is the place when the game first ended."""

    game: str
    day: str
    place: int
    players: int
    points: float
    bonuses: list[SeasonBonus]
    total: float
    counts: bool
    corrected: int | None


class SeasonGiven(msgspec.Struct, frozen=True):
    """Points that organisers gave, or took."""

    points: int
    reason: str


class SeasonValue(msgspec.Struct, frozen=True):
    """A tie-break of a person."""

    name: str
    value: float


class SeasonPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a season's table; without a rank somebody has too few games. The name is null if it was erased."""

    rank: int | None
    player: str
    name: str | None
    points: float
    played: int
    counted: int
    games: list[SeasonLine]
    given: list[SeasonGiven]
    tie_breaks: list[SeasonValue]


class SeasonInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A season with its table, from those `games` of its club that you may see."""

    season: str
    name: str
    description: str
    club: str
    club_name: str
    rules: dict[str, Any]
    founded_at: str
    version: int
    organises: bool
    games: int
    left_out: dict[str, str]
    table: list[SeasonPlayer]
