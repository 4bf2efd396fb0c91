/** A game in a frame of another site: the site is told how high the page is, and can fit the frame to it. */
const { game } = document.body.dataset;

const tell = () =>
  parent.postMessage({ type: "kifu.height", game, height: document.documentElement.scrollHeight }, "*");

new ResizeObserver(tell).observe(document.body);
