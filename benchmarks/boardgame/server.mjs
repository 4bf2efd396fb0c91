/** The server of boardgame.io with its own store in files: `node server.mjs MODULES PORT FOLDER`. */
import { createRequire } from 'node:module';

const [modules, port, folder] = process.argv.slice(2);
const { Server, FlatFile } = createRequire(`${modules}/`)('boardgame.io/server');

/** A game that takes any text as a move, and judges none. */
const game = {
  name: 'kifu',
  setup: () => ({ moves: 0, last: '' }),
  moves: {
    record: ({ G }, text) => {
      G.moves += 1;
      G.last = text;
    },
  },
};

const server = Server({ games: [game], db: new FlatFile({ dir: folder }), origins: ['*'] });
server.run(Number(port));
