/** A dialog with a form: what a late end of its action may do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JS } from "./pages.mjs";
import "./document.mjs";

const { FormDialog } = await import(new URL("base/formdialog.js", JS));

/** A dialog that is open, and whether it was closed. */
function open() {
  const frame = new FormDialog("x", () => {});
  const dialog = { frame, closed: 0 };
  Object.assign(frame.dialog, { showModal() {}, close: () => (dialog.closed += 1) });
  frame.open({ title: "First", verb: "Do it" });
  return dialog;
}

test("an action that is done closes its form, and a failed one says why and can be repeated", async () => {
  const dialog = open();
  assert.equal(await dialog.frame.send(() => Promise.reject(new TypeError("no network"))), false);
  assert.equal(dialog.frame.answer.textContent, "No connection: try again once it is back.");
  assert.deepEqual([dialog.closed, dialog.frame.button.disabled], [0, false]);
  assert.equal(await dialog.frame.send(() => {}), true);
  assert.equal(dialog.closed, 1);
});

for (const end of ["done", "failed"])
  test(`an action that is ${end} late leaves the next form as it is`, async () => {
    const dialog = open();
    let over;
    const sent = dialog.frame.send(() => new Promise((done, failed) => (over = end === "done" ? done : failed)));
    dialog.frame.open({ title: "Second", verb: "Do that" });
    over(new TypeError("no network"));
    assert.equal(await sent, end === "done");
    assert.deepEqual([dialog.closed, dialog.frame.answer.textContent], [0, ""]);
  });
