const FEW = 8;
const SCREENFUL = 12;
/** The most characters of short lines on a phone at once; each line adds some for its edges. */
const ROOM = 340;
const EDGES = 3;

/**
 * The choices now: the legal moves that the typed text can become, in groups of one kind. If there are too many for a
 * thumb, moves with the same beginning become one choice that types this beginning.
 *
 * Returns `[{kind, choices: [{text, label, more}]}]`: the typed text, the text without the words of the kind, and the
 * number of moves with this beginning, 0 for a move.
 *
 * @param {Line[]} moves
 * @param {string} text
 * @returns {Group[]}
 */
export function suggestChoices(moves, text) {
  const found = moves.filter((move) => meansText(move, text));
  const kinds = groupBy(found, ({ move }) => move.type);
  return [...kinds].map(([kind, alike]) => {
    const lines = alike.map(({ notation }) => notation);
    const label = labeller(kind, lines);
    const choices =
      found.length > SCREENFUL && !fitOnScreen(lines.map(label))
        ? extendedChoices(lines, text.trim())
        : lines.map(wholeChoice);
    return { kind, choices: choices.map((choice) => ({ ...choice, label: label(choice.text) })) };
  });
}

/**
 * Whether keys say too little by themselves: "1 E E R" has a number and letters alone. A key that names a card, a land
 * or an action says enough.
 *
 * @param {{ text: string }[]} choices
 */
export function keysNeedHelp(choices) {
  return choices.length > 1 && !choices.some(({ text }) => /\s.*\p{L}{3}/u.test(text));
}

/**
 * Whether two lines begin with the same word.
 *
 * @param {string} one
 * @param {string} other
 */
export function isSameKind(one, other) {
  const [word] = /^\p{L}{2,}(?=\s|$)/u.exec(one) ?? [];
  return Boolean(word) && word === /^\S+/.exec(other)?.[0];
}

/**
 * Lines with the same beginning as one choice each. A beginning that is already typed is extended.
 *
 * @param {string[]} lines
 * @param {string} typed
 */
function extendedChoices(lines, typed) {
  const own = lines.filter((line) => line.startsWith(typed));
  return branches(lines).flatMap((choice) => (choice.more && choice.text === typed ? branches(own) : [choice]));
}

/**
 * The labels of lines below the name of their kind. If many begin with that name, it is left out.
 *
 * @param {string} kind
 * @param {string[]} lines
 */
function labeller(kind, lines) {
  const prefix = `${kind} `;
  const spared = lines.length > FEW && lines.every((line) => line.startsWith(prefix));
  return (/** @type {string} */ line) => (spared ? line.slice(prefix.length) : line);
}

/**
 * Whether lines are few or short enough to be shown in full.
 *
 * @param {string[]} lines
 */
function fitOnScreen(lines) {
  return lines.length <= FEW || lines.join("").length + EDGES * lines.length <= ROOM;
}

/**
 * Whether a text means exactly this move. Words may be abbreviated, but not numbers.
 *
 * @param {string} text
 * @param {string} notation
 */
export function meansMove(text, notation) {
  const [typed, written] = [splitWords(withoutSeat(text)), splitWords(withoutSeat(notation))];
  /**
   * @param {{ word: string }} typed
   * @param {number} at
   */
  const alike = ({ word }, at) => (/\d/.test(word) ? written[at].word === word : written[at].word.startsWith(word));
  return typed.length === written.length && typed.every(alike);
}

/**
 * A notation without its seat. A seat before it means another seat's turn: "black: +".
 *
 * @param {string} notation
 */
export function withoutSeat(notation) {
  return notation.replace(/^[^:]+: /, "");
}

/**
 * The number of legal moves that the text can become.
 *
 * @param {Line[]} moves
 * @param {string} text
 */
export function countMoves(moves, text) {
  return moves.filter((move) => meansText(move, text)).length;
}

/**
 * The meaning of a tap on a place of the board: the text that it types, the legal moves meant, and whether only these
 * are meant (`only`). A place has a name `at`, or `means` moves with some fields, or `types` a text. After a sign or a
 * space it continues the `typed` text, otherwise it starts again.
 *
 * @param {Line[]} moves
 * @param {string} typed
 * @param {Place} place
 * @returns {Meaning}
 */
export function tapMeaning(moves, typed, { at, means, types }) {
  /** @param {string} text */
  const fitting = (text) => moves.filter((move) => meansText(move, text));
  if (at && /[^\p{L}\d\s]\s*$|\s$/u.test(typed)) return { text: typed + at, moves: fitting(typed + at), only: false };
  const meant = movesMeant(moves, means);
  if (meant.length) return { text: commonBeginning(meant), moves: meant, only: true };
  const text = types ?? at ?? "";
  const named = text ? fitting(text) : [];
  const around = at && !types && !named.length ? moves.filter(({ move }) => leadsTo(move, at)) : [];
  return around.length
    ? { text: commonBeginning(around), moves: around, only: true }
    : { text, moves: named, only: false };
}

/**
 * The moves meant by a place, or else the moves that name it.
 *
 * @param {Line[]} moves
 * @param {Place} place
 */
export function movesAt(moves, { at, means }) {
  const meant = movesMeant(moves, means);
  return meant.length || !at ? meant : moves.filter(({ move }) => namesPlace(move, at));
}

/**
 * The moves with the fields of a place: of its groups, `type=take card=BARI|type=take`, the first that any move has.
 *
 * @param {Line[]} moves
 * @param {string | undefined} means
 */
function movesMeant(moves, means) {
  const lots = means?.split("|").map((lot) => moves.filter(({ move }) => hasFields(move, lot))) ?? [];
  return lots.find((lot) => lot.length) ?? [];
}

/**
 * Whether a move names a place, alone or as the end of a line.
 *
 * @param {Json} move
 * @param {string} place
 */
function namesPlace(move, place) {
  return Object.values(move)
    .flat()
    .some((part) => typeof part === "string" && (part === place || part.split("-").includes(place)));
}

/**
 * Whether a move has all these fields: `type=take card=BARI`. A list has every value that it contains.
 *
 * @param {Json} move
 * @param {string} fields
 */
function hasFields(move, fields) {
  return fields.split(" ").every((field) => {
    const [name, value] = field.split("=");
    return [move[name]].flat().some((part) => String(part) === value);
  });
}

/**
 * Whether a move names a place among others: the end of a line.
 *
 * @param {Json} move
 * @param {string} place
 */
function leadsTo(move, place) {
  return Object.values(move).some((part) => typeof part === "string" && part.split("-").includes(place));
}

/**
 * The common first words of these moves.
 *
 * @param {{ notation: string }[]} moves
 */
export function commonBeginning(moves) {
  const lines = moves.map(({ notation }) => notation);
  if (new Set(lines).size === 1) return lines[0];
  const split = lines.map(splitWords);
  const depth = commonWords(split);
  return depth ? lines[0].slice(0, split[0][depth - 1].end) : "";
}

/**
 * The number of words that different lines have in common, from their beginning.
 *
 * @param {{ word: string }[][]} lines
 */
function commonWords(lines) {
  let depth = 0;
  while (new Set(lines.map((line) => line[depth]?.word)).size === 1) depth += 1;
  return depth;
}

/**
 * Whether a text means a move: each typed word begins its word of the notation, or the text names a part of the move.
 *
 * @param {Line} line
 * @param {string} text
 */
function meansText({ move, notation }, text) {
  const typed = splitWords(text);
  const written = splitWords(notation);
  if (typed.every(({ word }, index) => written[index]?.word.startsWith(word))) return true;
  const name = text.trim().toLowerCase();
  return Object.entries(move)
    .filter(([field]) => field !== "type") // a first word of many lines should lead to these alone
    .flatMap(([, parts]) => parts)
    .some((part) => typeof part === "string" && part.toLowerCase() === name);
}

/**
 * Lines with the same beginning as one choice each, cut at the first difference; a complete line stands beside it.
 * A few lines of the next seat stay complete beside lines of other seats.
 *
 * @param {string[]} lines
 */
function branches(lines) {
  const depth = commonWords(lines.map(splitWords));
  const beginnings = groupBy(lines, (line) =>
    line.slice(0, endOfName(line, splitWords(line)[depth]?.end ?? line.length)),
  );
  const next = lines.filter((line) => line === withoutSeat(line));
  const few = next.length <= FEW && next.length < lines.length;
  return [...beginnings].flatMap(([text, alike]) => {
    if (few && alike.every((line) => next.includes(line))) return alike.map(wholeChoice);
    const [own, longer] = [alike.filter((line) => line === text), alike.filter((line) => line !== text)];
    return [...own, ...(longer.length === 1 ? longer : [])]
      .map(wholeChoice)
      .concat(longer.length > 1 ? { text, more: longer.length } : []);
  });
}

/**
 * The end of the name that a word of a line belongs to: "Diplomat5" is not cut before its number.
 *
 * @param {string} line
 * @param {number} end
 */
function endOfName(line, end) {
  return /\p{L}$/u.test(line.slice(0, end)) ? line.length - line.slice(end).replace(/^\d+/, "").length : end;
}

/** @param {string} line */
function wholeChoice(line) {
  return { text: line, more: 0 };
}

/**
 * The words, numbers and signs of a line, in lower case, with the end of each.
 *
 * @param {string} line
 */
function splitWords(line) {
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
function groupBy(values, key) {
  const found = new Map();
  for (const value of values) found.set(key(value), [...(found.get(key(value)) ?? []), value]);
  return found;
}
