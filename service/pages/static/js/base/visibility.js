const NEAR = "500px";
/** Milliseconds until what could not be loaded is tried again, at first and at most. */
const PAUSE = 2_000;
const LONGEST = 60_000;
const watched = new WeakMap();

/**
 * Load something when the reader comes near to it: most never open the tab that it stands in.
 *
 * @param {Element} element
 * @param {() => Promise<unknown>} load
 */
export function whenVisible(element, load) {
  watched.get(element)?.disconnect();
  let pause = PAUSE;
  const look = () => watched.get(element) === observer && observer.observe(element);
  const observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load().catch(() => {
        setTimeout(look, pause); // no connection: once it is looked at after a while
        pause = Math.min(2 * pause, LONGEST);
      });
    },
    { rootMargin: NEAR },
  );
  watched.set(element, observer);
  observer.observe(element);
}
