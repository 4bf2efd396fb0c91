import { Problem } from "../base/api.js";

const EVERY = 4_000;

/** Ask for what others recorded, as long as somebody looks at the page. */
export function follow(record, connection) {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") {
      try {
        await record.refresh();
        connection.report(true);
      } catch (error) {
        connection.report(error instanceof Problem);
      }
    }
    clearTimeout(timer); // another look may have ended meanwhile
    timer = setTimeout(look, EVERY);
  };
  document.addEventListener("visibilitychange", look);
  timer = setTimeout(look, EVERY);
}
