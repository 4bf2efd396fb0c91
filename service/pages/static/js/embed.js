/** A game in a frame of another site. The site gets the height of the page, and can fit the frame to it. */
const { game } = document.body.dataset;
const [main] = document.getElementsByTagName("main");

const [figure] = main.getElementsByTagName("figure");
const { least } = figure.querySelector("svg")?.dataset ?? {};
if (least) figure.style.setProperty("--least", `${least}px`);

const sendHeight = () => {
  main.style.height = "auto"; // with the board in full size: a low frame has no space for it
  const height = main.offsetHeight;
  main.style.height = "";
  figure.tabIndex = figure.scrollWidth > figure.clientWidth ? 0 : -1; // by keyboard it scrolls when it has the focus
  parent.postMessage({ type: "kifu.height", game, height }, "*");
};

const resized = new ResizeObserver(sendHeight);
for (const part of main.children) resized.observe(part);
