import { post } from "../base/api.js";
import { uuid7 } from "../base/uuid.js";

/** What was asked for last and got no answer, and its key. */
let unanswered = { asked: "", key: "" };

/**
 * The answer to a request for something that has no id of ours: a try after no answer gets the first
 * answer, and makes nothing twice.
 *
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function make(path, body) {
  const asked = `${path} ${JSON.stringify(body)}`;
  if (unanswered.asked !== asked) unanswered = { asked, key: uuid7() };
  const made = await post(path, body, { key: unanswered.key });
  unanswered = { asked: "", key: "" };
  return made;
}
