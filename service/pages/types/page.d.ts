/** What the page code calls things, beside what TypeScript knows of browsers. Answers of the API have its own types. */
import type { components, paths } from "./api.d.ts";

declare global {
  type Schemas = components["schemas"];

  /** What `GET` of a path of the API answers. */
  type Got<Path extends keyof paths> = paths[Path] extends {
    get: { responses: { 200: { content: { "application/json": infer Body } } } };
  }
    ? Body
    : never;

  /** An answer with its tag. */
  type Answer<Body> = { body: Body; tag: string | null };
  /** The address of something: what is asked there answers with a `Body`. */
  type Address<Body> = string & { readonly answers?: Body };
  /** What a game's address with one more part answers. */
  type GotPart<Part extends string> = `/v1/games/{game}/${Part}` extends keyof paths
    ? Got<`/v1/games/{game}/${Part}`>
    : never;

  // The API's answers
  type Playable = Schemas["Playable"];
  type Entry = Schemas["Entry"];
  type Recorded = Schemas["RecordedEntry"];
  type Effect = Schemas["EffectInfo"];
  type Breach = Schemas["Breach"];
  type Conflict = Schemas["Conflict"];
  type Outcome = Schemas["Outcome"];
  type Reversal = Schemas["Reversal"];
  type GameInfo = Schemas["GameInfo"];
  type Seat = Schemas["SeatInfo"];
  type Title = Schemas["Title"];
  type Ruleset = Schemas["RulesetDetail"];
  type ScoreLine = Schemas["ScoreLine"];
  type Blank = Schemas["Blank"];
  type ProblemBody = Schemas["Problem"];
  /** What an entry says of its line, stored or tried in a dry run. */
  type Described = Partial<Pick<Entry, "seat" | "notation" | "adjustments" | "effects" | "irregular">>;

  /** The JSON of a move, an adjustment or the like, whose fields the ruleset has. */
  type Json = Record<string, any>;

  /** A move that may be made, or goes beside the play (`aside`), with what it leaves open. */
  type Line = {
    move: Json;
    notation: string;
    template?: string | null;
    blanks?: Blank[];
    aside?: boolean;
    /** Whether a part of its blanks says nothing yet. */
    whole?: boolean;
    /** Whether its key says all of it, so that it is recorded at once. */
    once?: boolean;
  };
  /** A place of the board, as its `data-` attributes have it. */
  type Place = { at?: string; means?: string; types?: string; blank?: string; seat?: string };
  /** What a tap on a place says. */
  type Meaning = { text: string; moves: Line[]; only: boolean };
  /** A moment of a record: `at` a version, or `after` an entry as it counts today. */
  type Moment = {
    at?: number;
    after?: number;
    limit?: number;
    last_event_id?: number;
    irregular?: boolean;
    brief?: boolean;
  };

  // What waits on this device
  /** An event as it is sent. */
  type Sent = { id: string; type?: string; data: Json };
  /** What is sent: a game to be opened, or entries. */
  type SentBody = { events: Sent[]; id?: undefined } | NewGame;
  /** A game to be opened. */
  type NewGame = Omit<Schemas["Opening"], "id" | "seats"> & {
    events?: undefined;
    id: string;
    seats: { name?: string }[];
  };
  type Item = {
    key: string;
    place: number;
    path: string;
    body: SentBody;
    base: number | null;
    label: string;
    told?: Recorded;
    problem?: ProblemBody;
    stale?: ProblemBody;
    box?: string;
    by?: string;
  };
  type Delivered = { item: Item; answer: Schemas["RecordedEntries"] };

  /** What a service worker is asked for. */
  type FetchEvent = Event & {
    request: Request;
    respondWith: (answer: Response | Promise<Response>) => void;
    waitUntil: (done: Promise<unknown>) => void;
  };

  // Score sheets
  type Column = Json & {
    id: string;
    least?: number;
    most?: number;
    labels?: Record<string, number>;
    name?: string;
    ja?: string;
    per?: "game" | "round";
    shared?: boolean;
  };
  type Template = Json & { name?: string; columns: Column[]; rounds?: number };
  /** What the keypad knows of a sheet. */
  type Sheet = { name: string; rounds?: number; columns: Column[]; stops: Stop[]; markers: Marker[]; late: string };
  /** A way to stop a score sheet early: what is typed, and what the sheet calls it. */
  type Stop = { text: string; name: string };
  /** What goes round the table: its id, and what it is called. */
  type Marker = { id: string; name: string };

  // The page's own classes
  type GameRecord = import("../static/js/record/record.js").GameRecord;
  type Words = import("../static/js/base/words.js").Words;
  type Seating = import("../static/js/people/seating.js").Seating;
  type Permit = import("../static/js/people/permit.js").Permit;
  type Connection = import("../static/js/base/connection.js").Connection;
  type Outbox = import("../static/js/offline/outbox.js").Outbox;
  type Sync = import("../static/js/offline/sync.js").Sync;
  type WaitingGames = import("../static/js/offline/waiting.js").WaitingGames;
  type Recorder = import("../static/js/record/recorder.js").Recorder;
  type EntryDialog = import("../static/js/record/entrydialog.js").EntryDialog;
  type Tools = import("../static/js/record/tools.js").Tools;
  type RecordActions = import("../static/js/record/actions.js").RecordActions;
  type Problem = import("../static/js/base/api.js").Problem;

  // What is put on the page
  type Child = Node | string | number | false | null | undefined | "" | Child[];
  /** Attributes of an element; those that begin with `on` listen. */
  type Attributes = { [name: `on${string}`]: (event: any) => unknown; [name: string]: unknown };
  type ElementOf<Tag extends string> = Tag extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[Tag]
    : HTMLElement;
  type Values = { [name: string]: unknown };
  /** A text with its values: a list of children where one of them is an element or a list. */
  type Filled<V> = 0 extends 1 & V[keyof V]
    ? string
    : V[keyof V] extends string | number | boolean | null | undefined
      ? string
      : (string | Node)[];
  /** What somebody can choose in a menu. */
  type Action = { text: string; hint?: string; act: () => unknown };
  /** What is composed in the entry dialog: see `EntryDialog`. */
  type EntryForm = {
    title: string;
    lead?: Child;
    fields?: (Node | string)[];
    verb: string;
    leave?: string;
    label: string;
    compose: () => { type: string; data: Json } | null;
    reason?: { label: string; required?: boolean };
    override?: boolean;
    excuse?: string | null;
    was?: Entry;
    silent?: boolean;
    begun?: () => boolean;
    asks?: () => Child;
    further?: () => { type: string; data: Json }[];
    stored?: (version: number) => void;
  };
  /** An event of a stream, with its number. */
  type StreamEvent = Json & { event: string; id: number };

  function skipWaiting(): Promise<void>;
  var clients: { claim: () => Promise<void> };

  /** The words of the page's language, from the script before it. */
  var kifuWords:
    | { locale: string; forms: Record<string, number>; words: Record<string, string | string[]> }
    | undefined;

  interface EventTarget {
    addEventListener(type: "delivered", listener: (event: CustomEvent<Delivered>) => void): void;
    addEventListener(type: "received", listener: (event: CustomEvent<StreamEvent>) => void): void;
    addEventListener(type: "line", listener: (event: CustomEvent<{ gone: OpenLine | null }>) => void): void;
    addEventListener(type: "field", listener: (event: CustomEvent<number>) => void): void;
    addEventListener(type: "moment", listener: (event: CustomEvent<MomentShown>) => void): void;
    addEventListener(
      type: "chosen",
      listener: (event: CustomEvent<{ data?: Template; called?: string }>) => void,
    ): void;
    addEventListener(type: "file", listener: (event: CustomEvent<File>) => void): void;
  }

  // Which elements there are is up to the templates: what a selector finds, and what an event is about, is not checked.
  interface ParentNode {
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
  }
  interface Element {
    closest(selectors: string): any;
  }
  interface HTMLFormControlsCollection {
    [name: string]: any;
  }
  type On<Map, Name extends keyof Map> = (event: Map[Name] & { target: any }) => unknown;
  type Once = boolean | AddEventListenerOptions;
  interface HTMLElement {
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, on: On<HTMLElementEventMap, K>, once?: Once): void;
  }
  interface HTMLFormElement {
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, on: On<HTMLElementEventMap, K>, once?: Once): void;
  }
  interface HTMLDivElement {
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, on: On<HTMLElementEventMap, K>, once?: Once): void;
  }
  interface HTMLInputElement {
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, on: On<HTMLElementEventMap, K>, once?: Once): void;
  }
  interface HTMLDialogElement {
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, on: On<HTMLElementEventMap, K>, once?: Once): void;
  }
  interface Document {
    addEventListener<K extends keyof DocumentEventMap>(type: K, on: On<DocumentEventMap, K>, once?: Once): void;
    getElementById(id: string): any;
  }
  interface WindowEventMap {
    // of the service worker, whose global names TypeScript keeps apart from those of a page
    install: Event;
    activate: FetchEvent;
    fetch: FetchEvent;
    kept: CustomEvent<string>;
  }
  function addEventListener<K extends keyof WindowEventMap>(type: K, on: On<WindowEventMap, K>, once?: Once): void;

  /** The game at a moment, or why it cannot be shown. */
  type MomentShown =
    | { at: number; state: Got<"/v1/games/{game}/state">; board: string; missing?: undefined }
    | { missing: string; at?: undefined; state?: undefined; board?: undefined };

  /** A field of a blank: an input, or keys of which one is down. */
  interface BlankField extends HTMLElement {
    value: string;
    placeholder?: string;
    /** What stands in the record already. */
    stands?: string;
    readonly children: HTMLCollectionOf<HTMLButtonElement>;
    settle?: (stop?: HTMLButtonElement) => void;
  }
  /** A move whose blanks are asked for. */
  type OpenLine = {
    move: Json;
    notation: string;
    blanks: Blank[];
    fields: BlankField[];
    update: (event?: Event) => void;
    title: string;
  };

  // What modules hand to each other
  /** The record of a game, or of one that no service knows yet. */
  type Known = GameRecord | import("../static/js/offline/draft.js").Draft;
  /** What a dry run says: the entry with the scores before it, or why it is refused, or why nothing can be said. */
  type Verdict = { answer?: Recorded; before?: number[]; problem?: Problem; unknown?: string };
  /** What a dialog shows. */
  type Dialog = { title: string; lead?: Child; fields?: (Node | string)[]; verb: string; leave?: string };
  /** What a dialog shows, and what is done then. */
  type Asked = Dialog & { work: () => unknown };
  /** Choices of one kind. */
  type Group = { kind: string; choices: Choice[] };
  /** What is typed by a choice, how it is labelled, and how many moves begin like that: 0 for a move. */
  type Choice = { text: string; label: string; more: number };
  /** A chance with the interval in which it lies. */
  type Chance = { p: number; low: number; high: number };
  /** Points of winning chance with their margin. */
  type Worth = { p: number; margin: number };

  // What analyses find
  /** How chances were found: by playing on from a position, many times. */
  type PlayedOn = {
    policy: string;
    policy_revision: number;
    blunders?: number;
    games: number;
    enough: boolean;
    sides?: number[][];
  };
  /** The chances of all seats after a turn. */
  type WinPoint = { version: number; seat: number | null; n: number; chances: Chance[]; over?: boolean };
  type Swing = { seat: number; version: number; before: Chance; after: Chance; side?: number[] };
  type WinLine = PlayedOn & { points: WinPoint[]; swings: Swing[]; precision: number };
  /** A move that could be made, with the chance that it led to. */
  type TriedMove = { move: string; n: number; chances: Chance; effects?: Omit<Effect, "text">[]; type?: string };
  type Decision = {
    version: number;
    after: number;
    seat: number;
    legal: number;
    tried: number;
    made: TriedMove;
    others: TriedMove[];
  };
  /** A turn that changed the chances: how much of it was luck, and what else could have been decided. */
  type TurningPoint = Swing & {
    luck: Worth;
    rest: Worth;
    events: unknown[];
    left_out: number;
    decisions: Decision[];
    unseen: number;
  };
  type TurningPoints = PlayedOn & { points: TurningPoint[] };
  /** A move where another one was better: what was made, what was better and by how much, and what else was tried. */
  type Slip = {
    version: number;
    after: number;
    made: TriedMove;
    better: TriedMove;
    others: TriedMove[];
    loss: Worth;
  };
  type SeatReview = {
    seat: number;
    turns: number;
    cost: Worth | null;
    accuracy: Chance | null;
    luck: Worth;
    without_luck: Worth | null;
    slips: Slip[];
    unclear?: number;
    played?: number;
  };
  type Review = PlayedOn & { left_out: number; seats: SeatReview[]; over?: boolean; luck_counts?: Luck | null };
  /** How often something came, and how often it was to be expected. */
  type Counted = { got: number; expected: number; sd: number; z?: number; chance?: number };
  type LuckKind = {
    title: string;
    seat: number | null;
    n: number;
    outcomes: { outcome: string; count: Counted }[];
    brought: { seat: number; n: number; count: Counted }[];
  };
  /** The least likely of all figures of luck. */
  type LuckExtreme = {
    title: string;
    seat: number | null;
    outcome: string | null;
    brought_to: number | null;
    count: Counted;
    by_chance: number;
    stands_out: boolean;
  };
  type Luck = {
    n: number;
    left_out: number;
    kinds: LuckKind[];
    figures: number;
    extreme: LuckExtreme | null;
    sampled?: number;
    sample?: number;
  };
  type ChanceEvent = { version: number; outcome: string; odds: number; n: number; worth: Worth[] };
  type WorthKind = { title: string; seat: number | null; n: number; worth: Worth[] };
  type LuckWorth = PlayedOn & {
    n: number;
    left_out: number;
    kinds: WorthKind[];
    events: ChanceEvent[];
    wider: number;
  };
  /** How a game went: who was in front when, and how long everybody took. */
  type Course = {
    standings: { scores: number[]; leaders: number[] }[];
    lead_changes: number[];
    decided: number | null;
    comeback: { seat: number; version: number; deficit: number } | null;
    pace: Pace[];
    together?: boolean;
    rounds?: RoundStart[];
    story?: { what: string; version: number; seats: number[]; count?: number }[];
  };
  /** The entry with which a round began. */
  type RoundStart = { round: number; version: number };
  type Pace = {
    seat: number;
    turns: number;
    timed: number;
    seconds: number;
    median: number | null;
    longest: number | null;
  };
}
