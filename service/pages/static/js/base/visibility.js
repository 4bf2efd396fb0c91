const NEAR = "500px";
/** Milliseconds before something that failed to load is tried again, at first and at most. */
const PAUSE = 2_000;
const LONGEST = 60_000;
const watched = new WeakMap();

/**
 * Load something when the reader comes near it: most people never open its tab.
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
        setTimeout(look, pause); // without a connection: later, if still visible
        pause = Math.min(2 * pause, LONGEST);
      });
    },
    { rootMargin: NEAR },
  );
  watched.set(element, observer);
  observer.observe(element);
}
