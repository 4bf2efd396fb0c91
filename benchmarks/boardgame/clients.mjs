/**
 * Clients of boardgame.io, each with matches of its own: `node clients.mjs MODULES PORT`.
 *
 * Each line of the input is a list of scripts, and a script a list of games, each a list of texts. Each text is a move.
 * It is sent when the one before it is answered. A line of the output has the seconds of all, and of each move.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [modules, port] = process.argv.slice(2);
const { io } = createRequire(`${modules}/`)('socket.io-client');
const address = `http://127.0.0.1:${port}`;

async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${address}/games/kifu/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function told(socket, type) {
  return new Promise((resolve) => {
    socket.once(type, (...words) => resolve(words));
  });
}

/** A match with one player, who is connected to it. */
async function open() {
  const { matchID } = await post('create', { numPlayers: 1 });
  const { playerCredentials } = await post(`${matchID}/join`, { playerID: '0', playerName: 'bench' });
  const socket = io(`${address}/kifu`, { transports: ['websocket'], forceNew: true });
  const synced = told(socket, 'sync');
  socket.emit('sync', matchID, '0', playerCredentials, 1);
  const [, { state }] = await synced;
  return { socket, matchID, credentials: playerCredentials, number: state._stateID };
}

async function play(match, texts, taken) {
  for (const text of texts) {
    const payload = { type: 'record', args: [text], playerID: '0', credentials: match.credentials };
    const began = performance.now();
    const answered = told(match.socket, 'update');
    match.socket.emit('update', { type: 'MAKE_MOVE', payload }, match.number, match.matchID, '0');
    const [, state] = await answered;
    taken.push((performance.now() - began) / 1000);
    match.number = state._stateID;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const scripts = JSON.parse(line);
  const opened = await Promise.all(scripts.map((games) => Promise.all(games.map(open))));
  const taken = [];
  const began = performance.now();
  await Promise.all(
    scripts.map(async (games, client) => {
      for (const [place, texts] of games.entries()) await play(opened[client][place], texts, taken);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const { socket } of opened.flat()) socket.disconnect();
  console.log(JSON.stringify({ seconds, taken }));
}
