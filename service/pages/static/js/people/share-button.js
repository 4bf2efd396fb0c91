import { getBlob } from "../base/api.js";
import { copyText } from "../base/clipboard.js";
import { t } from "../base/language.js";

/**
 * Share the current moment: its address with a picture if the browser shares files, only the address if it shares text,
 * otherwise by copying.
 *
 * @param {HTMLElement} button
 * @param {GameRecord} record
 * @param {string} title
 */
export function shareButton(button, record, title) {
  button.addEventListener("click", async () => {
    const shared = { title, url: location.href };
    try {
      const picture = await getBlob(record.address("board.png", { after: record.at })).catch(() => null);
      const files = picture && [new File([picture], "board.png", { type: "image/png" })];
      if (files && navigator.canShare?.({ ...shared, files })) await navigator.share({ ...shared, files });
      else if (navigator.share) await navigator.share(shared);
      else
        button.textContent = (await copyText(shared.url)) ? t("Its address is copied") : t("Copy its address by hand");
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError"))
        button.textContent = t("It could not be shared");
    }
  });
}
