import { problemView } from "./problem.js";
import { uuid7 } from "./uuid.js";

/** The form that adds a note to the game, or to the entry looked at. */
export function noteForm(details, record, courier, words) {
  const form = details.querySelector("form");
  const { text, entry } = form.elements;
  const answer = form.querySelector(".answer");
  record.addEventListener("position", () => {
    form.querySelector(".which").textContent = `entry ${record.at}`;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = { text: text.value.trim(), ...(entry.checked && { entry: record.at }) };
    if (!data.text) return;
    const body = { events: [{ id: uuid7(), type: "note.added", data }] };
    const left = await courier.send({
      path: `${record.path}/events`,
      body,
      base: record.head,
      label: `note: ${data.text}`,
    });
    if (left?.problem?.status === 400) {
      courier.outbox.drop(left.key);
      answer.replaceChildren(problemView(left.problem, words));
      return;
    }
    answer.replaceChildren();
    form.reset();
    details.open = false;
  });
}
