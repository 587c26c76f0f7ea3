// Draws while something moves. A page that does not move costs nothing, so that a visitor may leave a step open.

import { layoutPath, rectOf } from './target';

/** Events after which an element may be somewhere else. Those of shadow roots and frames do not leave them. */
const MOVES = [
  'scroll',
  'resize',
  'load',
  'toggle',
  'fullscreenchange',
  'transitionstart',
  'animationstart',
  'loadingdone',
];

/** The page may show only a part of an element, whose changes are movements, too. */
const SHARES = [...Array(1001).keys()].map(each => each / 1000);

/** Frames without a change after which nothing moves. */
const STILL_FRAMES = 3;

/**
 * Reports a movement that has no event, such as an animation by a script, because it changes the intersection of the
 * element with its current box.
 */
function tripwire(element: Element, onMove: () => void): IntersectionObserver {
  const root = element.ownerDocument;
  const { clientWidth, clientHeight } = root.documentElement;
  const { left, top, right, bottom } = rectOf(element);
  const isInWindow = left < clientWidth && top < clientHeight && right > 0 && bottom > 0;
  const insets = [top, clientWidth - right, clientHeight - bottom, left].map(each => `${-Math.floor(each)}px`);
  let isFirst = true;
  const onChange = () => {
    if (!isFirst) onMove();
    isFirst = false;
  };
  // An element outside the window crosses an edge of the window before it can be seen.
  const options = { root, rootMargin: isInWindow ? insets.join(' ') : '0px', threshold: SHARES };
  const observer = new IntersectionObserver(onChange, options);
  observer.observe(element);
  return observer;
}

export interface Movement {
  /** Follows these elements instead of the previous ones, and draws until several frames in a row change nothing. */
  follow(elements: readonly Element[]): void;
  stop(): void;
}

/** Calls `draw` in each frame in which something may have moved. It returns true if it has changed anything. */
export function watchMovement(draw: () => boolean): Movement {
  /** Zero while nothing moves. */
  let frame = 0;
  let still = 0;
  /** The followed elements and the frames around them. */
  let followed: Element[] = [];
  let tripwires: IntersectionObserver[] = [];
  let listening = new AbortController();
  const cut = () => {
    for (const each of tripwires.splice(0)) each.disconnect();
  };
  const wake = () => {
    still = 0;
    if (frame !== 0) return;
    cut();
    frame = requestAnimationFrame(onFrame);
  };
  const onFrame = () => {
    frame = requestAnimationFrame(onFrame);
    still = draw() ? 0 : still + 1;
    if (still < STILL_FRAMES) return;
    cancelAnimationFrame(frame);
    frame = 0;
    tripwires = followed.map(each => tripwire(each, wake));
  };
  const mutations = new MutationObserver(wake);
  const sizes = new ResizeObserver(wake);
  const release = () => {
    listening.abort();
    mutations.disconnect();
    sizes.disconnect();
    cut();
  };
  return {
    follow(elements) {
      release();
      listening = new AbortController();
      const paths = elements.flatMap(layoutPath);
      followed = paths.filter(each => elements.includes(each) || each.localName === 'iframe');
      const options = { capture: true, passive: true, signal: listening.signal };
      const trees = new Set([document, ...paths.map(each => each.getRootNode())]);
      const windows = [...trees].map(tree => (tree as Document).defaultView);
      for (const target of [...trees, ...windows, window.visualViewport, document.fonts])
        for (const type of MOVES) target?.addEventListener(type, wake, options);
      for (const tree of trees)
        mutations.observe(tree, { childList: true, attributes: true, characterData: true, subtree: true });
      for (const each of followed) sizes.observe(each);
      wake();
    },
    stop() {
      release();
      cancelAnimationFrame(frame);
    },
  };
}
