// Uses of an element that count as a click on it. Component libraries open a menu when a key or a button of the mouse
// is pressed, and then no click follows.

import { controlsOf } from './control';

/** Keys that move the focus, close something or do nothing alone. */
const OTHER_KEYS = /^(?:Tab|Escape|Shift|Control|Alt|AltGraph|Meta|CapsLock|F6)$/;

/** Enter or Space, or both, are followed by a click on these elements. */
const CLICKED_BY_KEYS =
  'button, a[href], area[href], summary, input:is([type=button], [type=checkbox], [type=color], [type=file], [type=image], [type=radio], [type=reset], [type=submit])';

const FIELD = 'input, textarea, select, [contenteditable]';

interface Gesture {
  control: Element;
  isOver: boolean;
  /** True if the page has reacted to it, or must have. */
  isUse: boolean;
}

/** True if the key uses the element, and no click follows. */
function isUseOf(target: Element, { key, defaultPrevented }: KeyboardEvent): boolean {
  const isClick = target.matches(CLICKED_BY_KEYS);
  if (key === 'Enter') return defaultPrevented || !isClick;
  const isPlainField = target.matches(FIELD) && !target.hasAttribute('aria-expanded');
  if (key === ' ') return isPlainField ? !isClick : defaultPrevented && !target.matches(FIELD);
  return key === 'ArrowDown' && isPlainField && !isClick;
}

/**
 * Calls the listener when the visitor uses the element: by a click, by a key on a control of it, or by a press that
 * opens or closes it. A listener is called after the key or the button was released, because components also react to
 * that. To move the focus to the element is not a use.
 */
export function onUseOf(element: Element, listener: () => void, signal: AbortSignal): void {
  // The page may stop the propagation, and may react in the capture phase of its document.
  const options = { signal, capture: true };
  const page = element.ownerDocument.defaultView ?? window;
  let gesture: Gesture | null = null;

  const settle = () => {
    if (gesture?.isUse && gesture.isOver) listener();
  };
  const begin = (control: Element | undefined) => {
    gesture = control ? { control, isOver: false, isUse: false } : null;
    return gesture;
  };
  const controlOf = (event: Event): Element | undefined => {
    const path = event.composedPath();
    return [element, ...controlsOf(element)].find(each => path.includes(each));
  };

  element.addEventListener('click', listener, options);
  page.addEventListener(
    'click',
    event => {
      // A click by a key is one on the control.
      if (event.detail === 0 && !event.composedPath().includes(element) && controlOf(event)) listener();
    },
    options,
  );
  page.addEventListener(
    'pointerdown',
    event => begin(event.button === 0 && event.composedPath().includes(element) ? element : undefined),
    options,
  );
  page.addEventListener(
    'keydown',
    event => {
      if (event.repeat) return;
      const current = begin(OTHER_KEYS.test(event.key) || event.isComposing ? undefined : controlOf(event));
      const target = event.composedPath()[0] as Element;
      if (!current) return;
      // The page has not received the event yet.
      setTimeout(() => {
        current.isUse ||= isUseOf(target, event);
        settle();
      });
    },
    options,
  );
  const end = (event: Event) => {
    if (!gesture) return;
    gesture.isOver = true;
    // A list that closes at this event receives no click. The mouse's click would be a part of the same task; that of a
    // finger follows later.
    if (event.type === 'pointerup' && (event as PointerEvent).pointerType === 'mouse')
      gesture.isUse ||= event.composedPath().includes(element);
    setTimeout(settle);
  };
  for (const type of ['pointerup', 'pointercancel', 'keyup']) page.addEventListener(type, end, options);
  const observer = new MutationObserver(changes => {
    const control = gesture?.control;
    if (!gesture || !control) return;
    gesture.isUse ||= changes.some(({ target }) => control.contains(target) || target.contains(control));
    settle();
  });
  observer.observe(element.getRootNode(), { attributeFilter: ['aria-expanded', 'open'], subtree: true });
  signal.addEventListener('abort', () => observer.disconnect());
}
