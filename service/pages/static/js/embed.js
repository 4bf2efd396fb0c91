/** A game in a frame of another site: the site is told how high the page would be, and can fit the frame to it. */
const { game } = document.body.dataset;
const [main] = document.getElementsByTagName("main");

const tell = () => {
  main.style.height = "auto"; // with its board in full size, for which a low frame has no room
  const height = main.offsetHeight;
  main.style.height = "";
  parent.postMessage({ type: "kifu.height", game, height }, "*");
};

const resized = new ResizeObserver(tell);
for (const part of main.children) resized.observe(part);
