// Scrolls an element into view.

import { visibleBoxOf } from '../player/box';
import { rectOf } from '../player/target';
import { HOST_ATTRIBUTE } from './host';

export const OURS = `[${HOST_ATTRIBUTE}]`;

/** True if another element, such as a sticky header, is in front of the element's center. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = rectOf(element);
  // Without this function if the element was just removed.
  const tree = element.getRootNode() as Node & Partial<DocumentOrShadowRoot>;
  const front = tree.elementsFromPoint?.(left + width / 2, top + height / 2).find(each => !each.matches(OURS));
  return front !== undefined && !element.contains(front) && !front.contains(element);
}

export function reveal(element: Element): void {
  const { left, top, width, height } = visibleBoxOf(element);
  const inWindow = top >= 0 && left >= 0 && top + height <= innerHeight && left + width <= innerWidth;
  const seen = inWindow && !isCovered(element);
  // `nearest` moves nothing if the element is visible in all of its scroll containers.
  const block = seen ? 'nearest' : height < innerHeight / 2 ? 'center' : 'start';
  // An element without a box cannot be scrolled to.
  const boxed = element.getClientRects().length > 0 ? element : (element.firstElementChild ?? element);
  boxed.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
}
