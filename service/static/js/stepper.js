const BEAT = 800;

/** Slider, buttons and keys (arrows, Home, End, space) that go through the entries of a record. */
export class Stepper {
  #timer = 0;

  constructor(element, record) {
    this.record = record;
    this.slider = element.querySelector("input");
    this.output = element.querySelector("output");
    this.play = element.querySelector("[data-go=play]");
    this.slider.addEventListener("input", () => this.#go(this.slider.valueAsNumber));
    document.addEventListener("click", (event) => this.#move(event.target.closest?.("[data-go]")?.dataset.go));
    document.addEventListener("keydown", (event) => this.#key(event));
    record.addEventListener("position", () => this.#show());
  }

  #move(step) {
    const { at, head } = this.record;
    if (step === "play") this.#toggle();
    else if (step) this.#go({ first: 1, back: at - 1, on: at + 1, last: head }[step]);
  }

  #key(event) {
    const typing = event.target.closest("input:not([type=range]), textarea, select, dialog");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const onButton = event.target.closest("button, a, summary");
    const step = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": onButton ? "" : "play" }[
      event.key
    ];
    if (!step) return;
    event.preventDefault();
    this.#move(step);
  }

  #go(version) {
    this.#rest();
    this.record.go(version);
  }

  #toggle() {
    if (this.#timer) return this.#rest();
    if (this.record.following) this.record.go(1);
    this.play.setAttribute("aria-pressed", "true");
    this.play.textContent = "Pause";
    this.#timer = setInterval(() => {
      this.record.go(this.record.at + 1);
      if (this.record.following) this.#rest();
    }, BEAT);
  }

  #rest() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.setAttribute("aria-pressed", "false");
    this.play.textContent = "Play";
  }

  #show() {
    const { at, head, entries } = this.record;
    this.slider.max = head;
    this.slider.value = at;
    this.slider.setAttribute(
      "aria-valuetext",
      `entry ${at} of ${head}: ${entries[at - 1].notation ?? entries[at - 1].type}`,
    );
    this.output.textContent = `${at} / ${head}`;
  }
}
