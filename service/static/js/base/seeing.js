const NEAR = "500px";
const seeing = new WeakMap();

/** Load something when the reader comes near to it: most never open the tab that it stands in. */
export function whenSeen(element, load) {
  seeing.get(element)?.disconnect();
  const observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load().catch(() => observer.observe(element)); // no connection: when it is looked at again
    },
    { rootMargin: NEAR },
  );
  seeing.set(element, observer);
  observer.observe(element);
}
