import { Problem } from "../base/api.js";
import { FormDialog } from "../base/formdialog.js";
import { failureView } from "../base/problem.js";

/** Actions on the page of access: they ask for values or a confirmation, do their work, and reload the lists. */
export class AccessActions {
  #work = async () => {};

  /**
   * @param {HTMLElement} problem where a problem is shown that no dialog shows
   * @param {() => Promise<void>} reload
   */
  constructor(problem, reload) {
    this.problem = problem;
    this.reload = reload;
    this.form = new FormDialog("access", () => this.#work());
  }

  /**
   * Ask for the needed values, do the work, then reload.
   *
   * @param {Asked} asked
   */
  askAndRun({ work, ...shown }) {
    this.#work = async () => {
      if (await this.form.send(work)) await this.reload();
    };
    this.form.open(shown);
  }

  /**
   * Do something at once, then reload. Problems are shown at the top.
   *
   * @param {() => unknown} work
   */
  async runAndReload(work) {
    try {
      await work();
      await this.reload();
    } catch (error) {
      this.showProblem(error);
    }
  }

  /** @param {any} error */
  showProblem(error) {
    this.problem.replaceChildren(failureView(error));
    if (error instanceof Problem) this.problem.scrollIntoView({ block: "nearest" });
  }
}
