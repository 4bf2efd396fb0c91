import { h } from "./dom.js";
import { t } from "./language.js";

/** A menu for rare actions: it is not on the page until somebody asks for more. */
export class Menu {
  constructor() {
    this.title = h("h2", { id: "menu-title" });
    this.list = h("ul", { class: "menu" });
    const close = h("form", { method: "dialog" }, h("button", {}, t("Close")));
    this.dialog = h("dialog", { class: "sheet", "aria-labelledby": "menu-title" }, this.title, this.list, close);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  /**
   * Show actions, `[{text, hint, act}]`, under a title.
   *
   * @param {string} title
   * @param {Action[]} actions
   */
  open(title, actions) {
    this.title.textContent = title;
    this.list.replaceChildren(...actions.map((action) => h("li", {}, this.#button(action))));
    this.dialog.showModal();
  }

  /** @param {Action} action */
  #button({ text, hint, act }) {
    const choose = () => {
      this.dialog.close();
      act();
    };
    return h("button", { type: "button", onclick: choose }, text, hint ? h("small", {}, hint) : null);
  }
}
