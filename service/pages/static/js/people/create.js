import { post } from "../base/api.js";
import { uuid7 } from "../base/uuid.js";

/** The last request without an answer, and its key. */
let unanswered = { asked: "", key: "" };

/**
 * Create something without an id of ours. A retry after a lost answer gets the first answer, and creates nothing twice.
 *
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function createOnce(path, body) {
  const asked = `${path} ${JSON.stringify(body)}`;
  if (unanswered.asked !== asked) unanswered = { asked, key: uuid7() };
  const made = await post(path, body, { key: unanswered.key });
  unanswered = { asked: "", key: "" };
  return made;
}
