import assert from "node:assert/strict";
import { test } from "node:test";
import { isRedrawn, Press } from "../../../../service/pages/static/js/base/redrawn.js";

/** A key as it stands on a page, or as it stood there. */
const key = (outerHTML, isConnected = true) => ({ outerHTML, isConnected });

/** The key that has a press which begins on one key and ends on another. */
function pressed(from, to, { clicks = 0 } = {}) {
  const press = new Press();
  press.begin(from);
  for (let click = 0; click < clicks; click += 1) press.click();
  return press.end(to);
}

test("a key that is redrawn under the mouse keeps the press", () => {
  const fresh = key("<button>UNO</button>");
  assert.equal(pressed(key("<button>UNO</button>", false), fresh), fresh);
});

test("a key that stays gets its click from the browser", () => {
  const stands = key("<button>UNO</button>");
  assert.equal(pressed(stands, stands), null);
});

test("no other key gets the press of a removed one", () => {
  assert.equal(pressed(key("<button>UNO</button>", false), key("<button>Skyjo</button>")), null);
  assert.equal(pressed(key("<button>UNO</button>", false), null), null);
});

test("a press outside of keys, or one that the browser reports, does not count again", () => {
  const gone = key("<button>UNO</button>", false);
  assert.equal(pressed(null, key("<button>UNO</button>")), null);
  assert.equal(pressed(gone, key("<button>UNO</button>"), { clicks: 1 }), null);
});

test("a press counts once", () => {
  const press = new Press();
  press.begin(key("<a href='/'>Games</a>", false));
  const fresh = key("<a href='/'>Games</a>");
  assert.equal(press.end(fresh), fresh);
  assert.equal(press.end(fresh), null);
});

test("a link that leads elsewhere now is another key", () => {
  assert.ok(!isRedrawn(key("<a href='/games/1'>UNO</a>", false), key("<a href='/games/2'>UNO</a>")));
});
