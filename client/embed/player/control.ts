// The elements that the keyboard uses instead of an element that the mouse clicks.

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** Items of menus and lists, which only the arrow keys reach, and which components focus by a script. */
const ITEM = '[role^=menuitem], [role=option], [role=tab], [role=treeitem]';

/** Keeps the focus while the arrow keys choose one of its options, which have no focus. */
const OPEN_LIST = '[role=combobox][aria-expanded=true]';

const all = (root: ParentNode, selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];

/** Returns the elements that Tab reaches: the element, and those in it. */
export function focusableIn(element: Element): HTMLElement[] {
  const inside = all(element, FOCUSABLE);
  return element.matches(FOCUSABLE) ? [element as HTMLElement, ...inside] : inside;
}

/**
 * Returns the elements that the keyboard needs to use an element. If Tab reaches neither the element nor anything in it,
 * that is an element that a script can focus, such as the item of a menu; or one around it, such as the button of an
 * icon; or the open field of an option.
 */
export function controlsOf(element: Element): HTMLElement[] {
  const focusable = focusableIn(element);
  if (focusable.length > 0) return focusable;
  if (element.matches('[tabindex]')) return [element as HTMLElement];
  const around = element.closest<HTMLElement>(`${FOCUSABLE}, :is(${ITEM})[tabindex]`);
  if (around) return [around];
  const items = all(element, '[tabindex]');
  return items.length > 0 ? items : all(element.ownerDocument, OPEN_LIST).slice(0, 1);
}
