// The element that contains everything the embed draws: a closed shadow root in the top layer.

import type { TourLanguage } from '../player/types';
import { focusedElement } from './focus';
import markdownStyles from '../player/markdown.css?inline';
import styles from './renderer.css?inline';

export const HOST_ATTRIBUTE = 'data-waypost';

/** Events of the embed that the page must not notice: a click outside closes its menus, and it may trap the focus. */
const PRIVATE_EVENTS =
  'dblclick mousedown mouseup pointerdown pointerup touchstart touchend keydown keyup keypress input';

/** False in browsers without popovers, which do not know the selector. */
const isOpenPopover = (element: HTMLElement): boolean => Boolean(element.popover) && element.matches(':popover-open');

/**
 * Returns the topmost popover, modal dialog or full-screen element of the page, because a click outside closes it or
 * everything outside is inert; otherwise the root of the document, so that the styles and scripts of the body do not
 * apply.
 */
function parentOfHost(): Element {
  // A browser that does not know the selector would reject all of it.
  const modal = CSS.supports('selector(:modal)') ? ':modal' : '[open]';
  const dialogs = [...document.querySelectorAll(`dialog${modal}, [aria-modal=true]`)];
  const open = dialogs.filter(dialog => dialog.getClientRects().length > 0);
  // Of nested dialogs, the inner one.
  const dialog = open.findLast(each => each.contains(document.activeElement)) ?? open.at(-1);
  const popovers = [...document.querySelectorAll<HTMLElement>('[popover]')];
  const popover = popovers.findLast(each => each.popover === 'auto' && isOpenPopover(each));
  // A modal dialog closes all other popovers when it opens.
  const top = popover?.contains(dialog ?? null) ? dialog : (popover ?? dialog);
  return top ?? document.fullscreenElement ?? document.documentElement;
}

export class Host {
  readonly shadow: ShadowRoot;
  /** The parent of everything in the shadow root. */
  readonly page = document.createElement('div');
  readonly #element = document.createElement('div');
  readonly #removed = new AbortController();
  /** A search for dialogs in each frame would cost more than everything else. */
  readonly #observer = new MutationObserver(() => (this.#isOutdated = true));
  #isOutdated = true;
  /** The element of the page whose loss of the focus the page has not noticed. */
  left: Element | null = null;
  /** The element of the host that has the focus, or had it before the page removed or hid the host. */
  #focused: HTMLElement | null = null;
  /** True if the page has opened something above the host. */
  #isCovered = false;

  constructor(language: TourLanguage | null) {
    this.#element.popover = 'manual';
    this.#element.setAttribute(HOST_ATTRIBUTE, '');
    this.shadow = this.#element.attachShadow({ mode: 'closed' });
    this.#addStyles(styles + markdownStyles);
    this.page.className = 'page';
    this.page.dir = language?.direction ?? getComputedStyle(document.documentElement).direction;
    if (language) this.page.lang = language.locale;
    this.shadow.append(this.page);
    // In the capture phase of the window, because dialogs of pages listen in that of the document.
    const options = { capture: true, passive: true, signal: this.#removed.signal };
    this.#observer.observe(document, { childList: true, attributes: true, subtree: true });
    for (const type of PRIVATE_EVENTS.split(' ')) addEventListener(type, this.#hideEvent, options);
    for (const type of ['blur', 'focusout', 'focus', 'focusin'] as const)
      addEventListener(type, this.#onFocusChange, options);
    addEventListener('click', this.#onClick, options);
    // The top layer shows the newest element on top, and its changes are no mutations.
    for (const type of ['toggle', 'fullscreenchange']) addEventListener(type, this.#onTopLayer, options);
    this.shadow.addEventListener('click', event => event.stopPropagation());
  }

  /** The policy of a page may not allow a style element, which is the only way in browsers before 2023. */
  #addStyles(css: string) {
    if ('adoptedStyleSheets' in this.shadow) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      this.shadow.adoptedStyleSheets = [sheet];
    } else {
      const style = document.createElement('style');
      style.textContent = css;
      (this.shadow as ShadowRoot).append(style);
    }
  }

  readonly #onTopLayer = ({ type, target }: Event) => {
    if (this.contains(target)) return;
    this.#isOutdated = true;
    this.#isCovered ||= type !== 'toggle' || isOpenPopover(target as HTMLElement);
  };

  readonly #hideEvent = (event: Event) => {
    if (this.contains(event.target)) event.stopImmediatePropagation();
  };

  /**
   * The page does not notice that the popover has the focus, because a dialog of the page would take it back, and a menu
   * would close. If the focus then moves to another element, the page receives the events of the element that lost it.
   */
  readonly #onFocusChange = (event: FocusEvent) => {
    const { type, relatedTarget } = event;
    const [target] = event.composedPath();
    const loses = type === 'blur' || type === 'focusout';
    if (this.contains(event.target)) {
      event.stopImmediatePropagation();
      if (!loses || relatedTarget) this.#focused = this.shadow.activeElement as HTMLElement | null;
      else setTimeout(this.#onFocusLost);
    } else if (this.contains(relatedTarget) && target instanceof Element) {
      if (loses) this.left = target;
      else if (this.left !== target) return this.#reportLeft(target);
      event.stopImmediatePropagation();
      // The events of a change are `focus` and `focusin`.
      if (type === 'focusin') this.left = null;
    }
  };

  readonly #onFocusLost = () => {
    // A window that loses the focus keeps its focused element, and a host in a dialog that has closed gets it back.
    if (document.activeElement === this.#element || this.#element.getClientRects().length === 0) return;
    this.#focused = null;
    this.#reportLeft(null);
  };

  #reportLeft(next: Element | null) {
    const { left } = this;
    this.left = null;
    if (!left?.isConnected) return;
    for (const type of ['blur', 'focusout'])
      left.dispatchEvent(new FocusEvent(type, { bubbles: type === 'focusout', composed: true, relatedTarget: next }));
  }

  readonly #onClick = (event: MouseEvent) => {
    // Clicks of keys and assistive technologies have no position.
    if (event.detail === 0 || !this.contains(event.target)) return;
    event.stopImmediatePropagation();
    const clicked = this.shadow.elementFromPoint(event.clientX, event.clientY);
    // A link has a default action, and nothing else than buttons and the blocker listens to clicks.
    if (clicked && !clicked.closest('a')) this.click(clicked);
  };

  /** Does not notify the page. */
  click(element: Element): void {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: false }));
  }

  setLook(look: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(look)) this.page.style.setProperty(name, value);
  }

  /** Keeps the host on top, also after a dialog was opened or closed, or the page removed it. */
  mount(): void {
    // `document.open` removes the root.
    if (!this.#isOutdated || !document.documentElement) return;
    const parent = parentOfHost();
    // Boxes are measured in pixels of the window, also on pages with the property `zoom`.
    this.page.style.setProperty('zoom', String(1 / (parent.currentCSSZoom ?? 1)));
    if (this.#element.parentNode === parent && !this.#isCovered) {
      this.#isOutdated = false;
      return;
    }
    parent.append(this.#element);
    this.#isCovered = false;
    // Browsers without popovers show the host by its z-index.
    if ('showPopover' in this.#element) this.#element.showPopover();
    // Also if the page has removed or hidden the host.
    if (document.activeElement === document.body) this.#focused?.focus({ preventScroll: true });
  }

  remove(): void {
    setTimeout(() => {
      const focused = focusedElement();
      if (focused !== this.left) this.#reportLeft(focused);
    });
    this.#removed.abort();
    this.#observer.disconnect();
    this.#element.remove();
  }

  contains(target: EventTarget | null): boolean {
    return target === this.#element;
  }
}
