/** A game in a frame of another site: the site is told how high the page would be, and can fit the frame to it. */
const { game } = document.body.dataset;
const [main] = document.getElementsByTagName("main");

const [figure] = main.getElementsByTagName("figure");
const { least } = figure.querySelector("svg")?.dataset ?? {};
if (least) figure.style.setProperty("--least", `${least}px`);

const tell = () => {
  main.style.height = "auto"; // with its board in full size, for which a low frame has no room
  const height = main.offsetHeight;
  main.style.height = "";
  figure.tabIndex = figure.scrollWidth > figure.clientWidth ? 0 : -1; // by keys it is scrolled where it has the focus
  parent.postMessage({ type: "kifu.height", game, height }, "*");
};

const resized = new ResizeObserver(tell);
for (const part of main.children) resized.observe(part);
