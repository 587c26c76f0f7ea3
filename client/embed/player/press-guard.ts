// Ignores presses that were aimed at the previous popover, such as the second click of a double click on Next: they press
// no button of the next popover, no element of the page, and not the dimmed page.

/** The time after a change in which a press at the place of the previous one was aimed at the previous popover. */
export const PRESS_GUARD_MS = 500;
const SIZE = 48;
const PRESSES = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick'];

interface Press {
  x: number;
  y: number;
  /** True if it was aimed at something that the tour draws. */
  inside: boolean;
}

export class PressGuard {
  /** Covers the place of the last press. */
  readonly element = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #press: Press | null = null;

  constructor() {
    this.element.className = 'wp-guard';
  }

  record({ clientX: x, clientY: y }: PointerEvent, inside: boolean): void {
    this.#press = { x, y, inside };
  }

  /**
   * Called after a popover has moved. A click on the page may be the first one of a double click on the same element, so
   * the next one is ignored only if something drawn covers it now.
   */
  raise(parent: ParentNode, isDrawn: (element: Element | null) => boolean): void {
    const press = this.#press;
    this.#lower();
    if (!press || !(press.inside || isDrawn(document.elementFromPoint(press.x, press.y)))) return;
    this.element.style.translate = `${press.x - SIZE / 2}px ${press.y - SIZE / 2}px`;
    parent.append(this.element);
    this.#timer = setTimeout(() => this.#lower(), PRESS_GUARD_MS);
  }

  #lower() {
    clearTimeout(this.#timer);
    this.element.remove();
  }

  /** Called after everything drawn was removed. */
  protectPage(): void {
    const press = this.#press;
    this.#lower();
    if (!press?.inside) return;
    const over = new AbortController();
    setTimeout(() => over.abort(), PRESS_GUARD_MS);
    const ignore = (event: Event) => {
      const { clientX, clientY } = event as MouseEvent;
      if (Math.hypot(clientX - press.x, clientY - press.y) > SIZE / 2) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const type of PRESSES) addEventListener(type, ignore, { capture: true, signal: over.signal });
  }
}
