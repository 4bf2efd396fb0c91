const FEW = 8;
const SCREENFUL = 12;
/** So many characters of short lines stand on a phone at once; beside its own, a line takes some for its edges. */
const ROOM = 340;
const EDGES = 3;

/**
 * What can be picked now: the legal moves that the text typed so far can become, in groups of one kind. Where there are
 * too many for a thumb, those that begin alike become one choice that types this beginning.
 *
 * Returns `[{kind, choices: [{text, label, more}]}]`: what is typed, that without what the kind says already, and how
 * many moves a beginning stands for, 0 for a move.
 *
 * @param {Line[]} moves
 * @param {string} text
 * @returns {Group[]}
 */
export function suggest(moves, text) {
  const found = moves.filter((move) => fits(move, text));
  const kinds = groups(found, ({ move }) => move.type);
  return [...kinds].map(([kind, alike]) => {
    const lines = alike.map(({ notation }) => notation);
    const label = labels(kind, lines);
    const choices = found.length > SCREENFUL && !fit(lines.map(label)) ? onward(lines, text.trim()) : lines.map(whole);
    return { kind, choices: choices.map((choice) => ({ ...choice, label: label(choice.text) })) };
  });
}

/**
 * Lines with the same beginning as one choice each: what is typed already leads on, where other lines only name it.
 *
 * @param {string[]} lines
 * @param {string} typed
 */
function onward(lines, typed) {
  const own = lines.filter((line) => line.startsWith(typed));
  return branches(lines).flatMap((choice) => (choice.more && choice.text === typed ? branches(own) : [choice]));
}

/**
 * How lines of a kind are labelled below its name: many that begin with it do without it.
 *
 * @param {string} kind
 * @param {string[]} lines
 */
function labels(kind, lines) {
  const said = `${kind} `;
  const spared = lines.length > FEW && lines.every((line) => line.startsWith(said));
  return (/** @type {string} */ line) => (spared ? line.slice(said.length) : line);
}

/**
 * Whether lines are few or short enough to be shown as they are.
 *
 * @param {string[]} lines
 */
function fit(lines) {
  return lines.length <= FEW || lines.join("").length + EDGES * lines.length <= ROOM;
}

/**
 * Whether a text says the move of a notation, word by word, each typed as far as it needs.
 *
 * @param {string} text
 * @param {string} notation
 */
export function says(text, notation) {
  const [typed, written] = [words(bare(text)), words(bare(notation))];
  /**
   * @param {{ word: string }} typed
   * @param {number} at
   */
  const alike = ({ word }, at) => (/\d/.test(word) ? written[at].word === word : written[at].word.startsWith(word));
  return typed.length === written.length && typed.every(alike);
}

/**
 * A notation without its seat. The seat stands before it when it is another seat's turn: "black: +".
 *
 * @param {string} notation
 */
export function bare(notation) {
  return notation.replace(/^[^:]+: /, "");
}

/**
 * How many legal moves the text can become.
 *
 * @param {Line[]} moves
 * @param {string} text
 */
export function count(moves, text) {
  return moves.filter((move) => fits(move, text)).length;
}

/**
 * What a tap on a place of the board says: the text that it types, the legal moves that it means, and whether the text can
 * become only these (`only`). The place has the name `at`, `means` moves with some fields, or `types`
 * a text. After a sign or a blank it goes on with what was `typed`, else it begins anew.
 *
 * @param {Line[]} moves
 * @param {string} typed
 * @param {Place} place
 * @returns {Meaning}
 */
export function meaning(moves, typed, { at, means, types }) {
  /** @param {string} text */
  const fitting = (text) => moves.filter((move) => fits(move, text));
  if (at && /[^\p{L}\d\s]\s*$|\s$/u.test(typed)) return { text: typed + at, moves: fitting(typed + at), only: false };
  const lots = means?.split("|").map((lot) => moves.filter(({ move }) => has(move, lot))) ?? [];
  const meant = lots.find((lot) => lot.length) ?? [];
  if (meant.length) return { text: beginning(meant), moves: meant, only: true };
  const text = types ?? at ?? "";
  const named = text ? fitting(text) : [];
  const around = at && !types && !named.length ? moves.filter(({ move }) => leadsTo(move, at)) : [];
  return around.length ? { text: beginning(around), moves: around, only: true } : { text, moves: named, only: false };
}

/**
 * Those of some moves that a place means: by the first of its lots that any has, or because they name it.
 *
 * @param {Line[]} moves
 * @param {Place} place
 */
export function among(moves, { at, means }) {
  const lots = means?.split("|").map((lot) => moves.filter(({ move }) => has(move, lot))) ?? [];
  return lots.find((lot) => lot.length) ?? (at ? moves.filter(({ move }) => names(move, at)) : []);
}

/**
 * Whether a move names a place, alone or as the end of a line.
 *
 * @param {Json} move
 * @param {string} place
 */
function names(move, place) {
  return Object.values(move)
    .flat()
    .some((part) => typeof part === "string" && (part === place || part.split("-").includes(place)));
}

/**
 * Whether a move has all of these fields: `type=take card=BARI`; a list has a value that it contains.
 *
 * @param {Json} move
 * @param {string} fields
 */
function has(move, fields) {
  return fields.split(" ").every((field) => {
    const [name, value] = field.split("=");
    return [move[name]].flat().some((part) => String(part) === value);
  });
}

/**
 * Whether a move names a place between others: the end of a line.
 *
 * @param {Json} move
 * @param {string} place
 */
function leadsTo(move, place) {
  return Object.values(move).some((part) => typeof part === "string" && part.split("-").includes(place));
}

/**
 * The words with which all of these moves begin.
 *
 * @param {{ notation: string }[]} moves
 */
export function beginning(moves) {
  const lines = moves.map(({ notation }) => notation);
  if (new Set(lines).size === 1) return lines[0];
  const split = lines.map(words);
  let depth = 0;
  while (new Set(split.map((line) => line[depth]?.word)).size === 1) depth += 1;
  return depth ? lines[0].slice(0, split[0][depth - 1].end) : "";
}

/**
 * Whether a move is meant: each word typed begins its word of the notation, or the text names a part of the move.
 *
 * @param {Line} line
 * @param {string} text
 */
function fits({ move, notation }, text) {
  const typed = words(text);
  const written = words(notation);
  if (typed.every(({ word }, index) => written[index]?.word.startsWith(word))) return true;
  const name = text.trim().toLowerCase();
  return Object.entries(move)
    .filter(([field]) => field !== "type") // a word that many lines begin with leads to these alone
    .flatMap(([, parts]) => parts)
    .some((part) => typeof part === "string" && part.toLowerCase() === name);
}

/**
 * Lines with the same beginning as one choice each, cut where they first differ; one that is no longer stands beside it.
 * Beside the lines of other seats, few of the seat that comes next stand as they are.
 *
 * @param {string[]} lines
 */
function branches(lines) {
  const split = lines.map(words);
  let depth = 0;
  while (new Set(split.map((line) => line[depth]?.word)).size === 1) depth += 1;
  const beginnings = groups(lines, (line) => line.slice(0, endOfName(line, words(line)[depth]?.end ?? line.length)));
  const next = lines.filter((line) => line === bare(line));
  const few = next.length <= FEW && next.length < lines.length;
  return [...beginnings].flatMap(([text, alike]) => {
    if (few && alike.every((line) => next.includes(line))) return alike.map(whole);
    const [own, longer] = [alike.filter((line) => line === text), alike.filter((line) => line !== text)];
    return [...own, ...(longer.length === 1 ? longer : [])]
      .map(whole)
      .concat(longer.length > 1 ? { text, more: longer.length } : []);
  });
}

/**
 * Where the name ends that a word of a line is part of: "Diplomat5" is not cut before its number.
 *
 * @param {string} line
 * @param {number} end
 */
function endOfName(line, end) {
  return /\p{L}$/u.test(line.slice(0, end)) ? line.length - line.slice(end).replace(/^\d+/, "").length : end;
}

/** @param {string} line */
function whole(line) {
  return { text: line, more: 0 };
}

/**
 * The words, numbers and signs of a line, in small letters, with where each ends.
 *
 * @param {string} line
 */
function words(line) {
  return Array.from(line.matchAll(/\p{L}+|\d+|[^\s\p{L}\d]/gu), (found) => ({
    word: found[0].toLowerCase(),
    end: found.index + found[0].length,
  }));
}

/**
 * @template Value
 * @param {Value[]} values
 * @param {(value: Value) => string} key
 * @returns {Map<string, Value[]>}
 */
function groups(values, key) {
  const found = new Map();
  for (const value of values) found.set(key(value), [...(found.get(key(value)) ?? []), value]);
  return found;
}
