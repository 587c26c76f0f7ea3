// Where elements and the window are, in pixels of the window.

import { type Box, clamp } from './position';
import { frameOf, layoutPath, rectOf } from './target';

/** Narrower, the visitor has zoomed in so far that a popover would not fit, and moves around in the whole window. */
const MIN_VISUAL_WIDTH = 240;

/** Returns the part of the window that the visitor sees: without an on-screen keyboard, and after a pinch zoom. */
export function visibleWindow(): Box {
  const { visualViewport: view } = window;
  if (!view || view.width < MIN_VISUAL_WIDTH) return { left: 0, top: 0, width: innerWidth, height: innerHeight };
  return { left: view.offsetLeft, top: view.offsetTop, width: view.width, height: view.height };
}

/** Returns the common part. Boxes without one get the part of the edge of `to` that is nearest to `box`. */
function clip(box: Box, to: Box): Box {
  const left = clamp(box.left, to.left, to.left + to.width);
  const top = clamp(box.top, to.top, to.top + to.height);
  const width = clamp(box.left + box.width, to.left, to.left + to.width) - left;
  return { left, top, width, height: clamp(box.top + box.height, to.top, to.top + to.height) - top };
}

/** Clips the box as the scroll containers of the element do in its document. */
function clipByAncestors(element: Element, box: Box): Box {
  const { body, documentElement } = element.ownerDocument;
  let { position } = getComputedStyle(element);
  let clipped = box;
  for (const each of layoutPath(element).slice(1)) {
    // The overflow of these is that of the window.
    if (each === body || each === documentElement || position === 'fixed') break;
    const style = getComputedStyle(each);
    if (position === 'absolute' && style.position === 'static') continue;
    if (style.overflow !== 'visible' && !/^(inline|contents)$/.test(style.display))
      clipped = clip(clipped, each.getBoundingClientRect());
    position = style.position;
  }
  return clipped;
}

function inWindow(element: Element, box: Box): Box {
  const visible = clipByAncestors(element, box);
  const frame = frameOf(element);
  if (!frame) return visible;
  const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
  const { left, top, width, height } = clip(visible, { left: 0, top: 0, width: clientWidth, height: clientHeight });
  const outer = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  // A transformed frame also scales its content.
  const scale = outer.width / (frame as HTMLElement).offsetWidth || 1;
  return inWindow(frame, {
    left: outer.left + scale * (left + frame.clientLeft + Number.parseFloat(paddingLeft)),
    top: outer.top + scale * (top + frame.clientTop + Number.parseFloat(paddingTop)),
    width: scale * width,
    height: scale * height,
  });
}

/**
 * Returns the box of the part of an element that scroll containers and frames leave visible, or the part of their edge
 * that is nearest to it.
 */
export const visibleBoxOf = (element: Element): Box => inWindow(element, rectOf(element));
