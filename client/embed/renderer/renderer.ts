// Draws a tour's steps on any page. Changes nothing of the page except its scroll position and its focus.

import { visibleBoxOf, visibleWindow } from '../player/box';
import { controlsOf, focusableIn } from '../player/control';
import { type FoundLook, lookOf, watchScheme } from '../player/look';
import { type Movement, watchMovement } from '../player/movement';
import { between, type Box, MARGIN, place } from '../player/position';
import { PRESS_GUARD_MS, PressGuard } from '../player/press-guard';
import { traitsOf } from '../player/step-kinds';
import { hasBox } from '../player/target';
import type {
  Command,
  HotspotView,
  PlayTheme,
  Renderer,
  RendererFactory,
  Side,
  StepView,
  TourLanguage,
} from '../player/types';
import { type Card, type CardButton, createCard, createWaitingCard } from './card';
import { focusedElement, isTyping } from './focus';
import { Host } from './host';
import { Hotspots, REACH_KEY } from './hotspots';
import { OURS, reveal } from './reveal';
import { storedLook, storeLook } from './stored-look';
import { round, Styles } from './styles';
import type { RendererTexts } from './texts';

/** Width of the window below which the popover is a sheet, as in renderer.css. */
const SHEET_WIDTH = 480;

const BEACON_OFFSET = 8;

class EmbedRenderer implements Renderer {
  #host: Host | null = null;
  /** Aborts when the host is removed. */
  #removed = new AbortController();
  #movement: Movement | null = null;
  #view: StepView | null = null;
  #card: Card | null = null;
  readonly #blocker = document.createElement('div');
  readonly #stage = document.createElement('div');
  readonly #status = document.createElement('div');
  readonly #guard = new PressGuard();
  #shownAt = 0;
  /** True while the tour waits for an element. */
  #isWaiting = false;
  /** The last box of the element, which the page may have removed to render it again. */
  #targetBox: Box | null = null;
  /** The last drawn box of the stage, and the one at which its animation began. */
  #stageBox: Box | null = null;
  #animation: { from: Box; start: number } | null = null;
  readonly #styles = new Styles();
  readonly #hotspots: Hotspots;
  readonly #previouslyFocused = focusedElement();
  #unwatchScheme = () => {};
  readonly #look: FoundLook;

  readonly #tour: string;
  readonly #theme: PlayTheme;
  readonly #texts: RendererTexts;
  readonly #onCommand: (command: Command) => void;
  readonly #language: TourLanguage | null;
  readonly #bar: () => Element | null;

  constructor(
    tour: string,
    theme: PlayTheme,
    texts: RendererTexts,
    onCommand: (command: Command) => void,
    language: TourLanguage | null,
    bar: () => Element | null,
  ) {
    this.#tour = tour;
    this.#theme = theme;
    this.#texts = texts;
    this.#onCommand = onCommand;
    this.#language = language;
    this.#bar = bar;
    this.#look = storedLook(tour);
    this.#hotspots = new Hotspots(texts, onCommand, card => {
      this.#replaceCard(card);
      if (card) this.#draw();
    });
    this.#blocker.className = 'blocker';
    this.#stage.className = 'stage';
    this.#status.className = 'status';
    this.#status.role = 'status';
    this.#blocker.addEventListener('click', this.#onOutside);
  }

  async show(view: StepView): Promise<void> {
    const host = this.#open();
    this.#view = view;
    this.#isWaiting = false;
    this.#targetBox = null;
    this.#shownAt = performance.now();
    // The page may have changed its colors since the last step.
    this.#updateLook();
    if (view.element) reveal(view.element);
    if (this.#stageBox) this.#animation = { from: this.#stageBox, start: performance.now() };
    const free = this.#isPageUsable();
    this.#stage.classList.toggle('clear', view.element !== null && !traitsOf(view.step).dims);
    this.#blocker.hidden = free;
    this.#stage.hidden = false;
    const mayFocus = !(free && isTyping());
    this.#replaceCard(this.#cardOf(view));
    this.#card?.element.setAttribute('aria-modal', String(!free && this.#usableElements().length === 0));
    this.#follow();
    this.#guard.raise(host.page, each => host.contains(each));
    if (mayFocus) this.#focusCard();
    const { count } = view;
    // The focus announces the title already.
    const texts = [count ? this.#texts.announce(count.at, count.of) : ''];
    if (!mayFocus) texts.push(view.step.title, this.#texts.reach);
    this.#announce(...texts);
    host.mount();
  }

  #cardOf({ step, back, next, last, choices, count }: StepView): Card {
    const texts = this.#texts;
    const buttons: CardButton[] = choices.map(({ label }, choose) => ({
      label,
      look: choose === 0 ? 'primary' : 'secondary',
      press: () => this.#onCommand({ choose }),
    }));
    if (next) {
      const label = last ? (step.doneLabel ?? texts.done) : (step.nextLabel ?? texts.next);
      buttons.push({ label, look: 'primary', press: () => this.#onCommand('next') });
    }
    if (back) {
      const label = step.previousLabel ?? texts.previous;
      // Below a list of branches, and before the only button otherwise.
      const at = choices.length > 1 ? choices.length : 0;
      buttons.splice(at, 0, { label, look: 'quiet', press: () => this.#onCommand('previous') });
    }
    return createCard(step, count ? texts.count(count.at, count.of) : '', buttons, texts, () =>
      this.#onCommand('close'),
    );
  }

  showProgress(): void {
    const view = this.#view;
    const texts = this.#texts;
    const host = this.#open();
    this.#isWaiting = true;
    this.#undim();
    if (view && (view.next || view.choices.length > 0)) {
      const card = this.#card?.element;
      card?.classList.add('busy');
      card?.setAttribute('aria-modal', 'false');
      // Not on the whole card, because screen readers do not announce changes in a busy element.
      card?.querySelector('.wp-text')?.setAttribute('aria-busy', 'true');
      const count = card?.querySelector('.count');
      if (count) count.textContent = texts.loading;
      this.#status.textContent = texts.loading;
    } else {
      this.#clearView();
      this.#updateLook();
      this.#replaceCard(createWaitingCard(texts, () => this.#onCommand('close')));
      this.#announce(texts.waiting);
      host.mount();
    }
    this.#follow();
  }

  #announce(...texts: string[]) {
    // Screen readers ignore the initial text of a live region.
    requestAnimationFrame(() => (this.#status.textContent = texts.filter(Boolean).join('. ')));
  }

  replaceElement(index: number, element: Element): void {
    if (!this.#hotspots.replaceElement(index, element) && this.#view?.index === index)
      this.#view = { ...this.#view, element };
    this.#follow();
  }

  async hide(): Promise<void> {
    this.#isWaiting = false;
    this.#clearView();
    if (this.#hotspots.isEmpty) this.#remove();
  }

  #undim() {
    this.#blocker.hidden = this.#stage.hidden = true;
  }

  #clearView() {
    this.#view = null;
    this.#stageBox = null;
    this.#animation = null;
    this.#undim();
    this.#replaceCard(null);
  }

  async close(): Promise<void> {
    for (const index of this.#hotspots.indexes()) this.hideHotspot(index);
    await this.hide();
  }

  async showHotspot(view: HotspotView): Promise<void> {
    const host = this.#open();
    this.#updateLook();
    host.page.prepend(this.#hotspots.add(view));
    this.#follow();
    this.#announce(...this.#hotspots.announcements(), this.#texts.reach);
  }

  hideHotspot(index: number): void {
    this.#hotspots.remove(index);
    this.#follow();
    if (this.#hotspots.isEmpty && !this.#view && !this.#isWaiting) this.#remove();
  }

  #replaceCard(card: Card | null) {
    this.#card?.element.remove();
    this.#card = card;
    if (!card) return;
    card.element.setAttribute('aria-keyshortcuts', REACH_KEY);
    this.#host?.page.append(card.element);
  }

  /** Adds the host to the page, and follows the page until everything is removed. */
  #open(): Host {
    if (this.#host) return this.#host;
    this.#removed = new AbortController();
    // Before the listeners of the host, which stop the events of the popover.
    const options = { capture: true, signal: this.#removed.signal };
    addEventListener('keydown', this.#onKey, options);
    addEventListener('keydown', this.#onUnusedKey, { signal: this.#removed.signal });
    addEventListener('pointerdown', this.#onPointer, options);
    addEventListener('mousedown', this.#onMouseDown, options);
    addEventListener('click', this.#onClick, options);
    const host = new Host(this.#language);
    this.#host = host;
    host.page.append(this.#blocker, this.#stage, this.#status);
    this.#undim();
    host.mount();
    this.#setKeyboard(this.#previouslyFocused?.matches(':focus-visible') === true);
    this.#unwatchScheme = watchScheme(() => {
      // Colors that were examined during a transition are wrong.
      this.#look.accents = {};
      this.#updateLook();
    });
    this.#movement = watchMovement(() => {
      host.mount();
      return this.#draw();
    });
    return host;
  }

  #remove() {
    const host = this.#host;
    if (!host) return;
    this.#host = null;
    this.#removed.abort();
    this.#movement?.stop();
    this.#unwatchScheme();
    const focused = document.activeElement;
    // Do not move the focus if the visitor has moved it to an element of the page.
    const focusLost = focused === null || focused === document.body || host.contains(focused);
    host.remove();
    this.#guard.protectPage();
    const before = host.left?.isConnected ? host.left : this.#previouslyFocused;
    if (focusLost && before?.isConnected && before !== document.body)
      (before as HTMLElement).focus({ preventScroll: true });
  }

  #updateLook() {
    this.#host?.setLook(lookOf(this.#theme, OURS, this.#look));
    storeLook(this.#tour, this.#look);
  }

  /** Draws, now and whenever something moves. */
  #follow() {
    this.#draw();
    const elements = this.#hotspots.elements();
    if (this.#view?.element) elements.push(this.#view.element);
    this.#movement?.follow(elements);
  }

  /** Returns true if anything has changed. */
  #draw(): boolean {
    const styles = this.#styles;
    const view = this.#view;
    const theme = this.#theme;
    styles.hasChanged = false;
    const page = this.#host?.page;
    if (!page) return false;
    const seen = visibleWindow();
    const bar = this.#bar();
    if (bar) {
      const { bottom } = bar.getBoundingClientRect();
      seen.top += bottom;
      seen.height -= bottom;
      styles.set(page, 'clip-path', `path("M0 ${bottom}H99999V99999H0Z")`);
    }
    styles.set(page, '--wp-seen-width', `${seen.width}px`);
    styles.set(page, '--wp-seen-height', `${seen.height}px`);
    const beacon = this.#hotspots.draw(styles, this.#card?.element, this.#isRightToLeft());
    if (view) {
      const target = this.#stageOf(view.element, seen);
      this.#stageBox = this.#animated(target);
      styles.move(this.#stage, this.#stageBox);
      styles.set(this.#stage, 'width', `${round(this.#stageBox.width)}px`);
      styles.set(this.#stage, 'height', `${round(this.#stageBox.height)}px`);
      const hole = view.element && !view.step.blockPage;
      styles.set(this.#blocker, 'clip-path', hole ? holeIn(target) : 'none');
      this.#placeCard(view.element && target, view.step.side, theme.popoverOffset, seen);
    } else if (beacon) this.#placeCard(beacon, 'AUTO', BEACON_OFFSET, seen);
    else if (this.#isWaiting) this.#placeCard(null, 'AUTO', 0, seen);
    return styles.hasChanged;
  }

  #stageOf(element: Element | null, seen: Box): Box {
    if (!element) return { left: seen.left + seen.width / 2, top: seen.top + seen.height / 2, width: 0, height: 0 };
    const { stagePadding: padding } = this.#theme;
    if (!this.#targetBox || hasBox(element)) this.#targetBox = visibleBoxOf(element);
    const { left, top, width, height } = this.#targetBox;
    return { left: left - padding, top: top - padding, width: width + 2 * padding, height: height + 2 * padding };
  }

  #animated(target: Box): Box {
    const animation = this.#animation;
    if (!animation || matchMedia('(prefers-reduced-motion: reduce)').matches) return target;
    const share = Math.min(1, (performance.now() - animation.start) / Math.max(1, this.#theme.animationMs));
    this.#styles.hasChanged = true;
    if (share === 1) this.#animation = null;
    return between(animation.from, target, 1 - (1 - share) ** 3);
  }

  #placeCard(box: Box | null, side: Side, offset: number, seen: Box) {
    const element = this.#card?.element;
    if (!element) return;
    const isSheet = box !== null && seen.width < SHEET_WIDTH;
    const isHigh = box !== null && box.top + box.height / 2 > seen.top + seen.height / 2;
    element.classList.toggle('sheet', isSheet);
    element.classList.toggle('high', isHigh);
    const { offsetWidth: width, offsetHeight: height } = element;
    const bottom = seen.top + seen.height - MARGIN - height;
    let edge: string | null = null;
    if (isSheet) this.#styles.move(element, { left: seen.left + MARGIN, top: isHigh ? seen.top + MARGIN : bottom });
    else if (box) {
      const position = place(box, { width, height }, seen, side, offset, this.#isRightToLeft());
      edge = position.edge;
      this.#styles.move(element, position);
      this.#styles.set(element, '--wp-arrow', `${Math.round(position.arrow)}px`);
    } else {
      const top = this.#view ? seen.top + (seen.height - height) / 2 : bottom;
      this.#styles.move(element, { left: seen.left + (seen.width - width) / 2, top });
    }
    // Only if it changed, because each new value makes the browser compute styles.
    if (!edge) delete element.dataset['edge'];
    else if (element.dataset['edge'] !== edge) element.dataset['edge'] = edge;
    const text = element.querySelector<HTMLElement>('.wp-text');
    // The keyboard can scroll only what has the focus.
    if (text) text.tabIndex = text.scrollHeight > text.clientHeight ? 0 : -1;
  }

  #isRightToLeft(): boolean {
    return this.#host?.page.dir === 'rtl';
  }

  #isPageUsable(): boolean {
    const view = this.#view;
    return !view || this.#isWaiting || (!traitsOf(view.step).dims && view.element !== null && !view.step.blockPage);
  }

  /** The element is usable only if the rest of the page is not. */
  #usableElements(): HTMLElement[] {
    const { element = null, step } = this.#view ?? {};
    return element && step && traitsOf(step).dims && !step.blockPage && !this.#isWaiting ? controlsOf(element) : [];
  }

  /** Shows where the focus is only to visitors who move it with the keyboard. */
  #setKeyboard(isUsed: boolean) {
    this.#host?.page.classList.toggle('keyboard', isUsed);
  }

  readonly #onPointer = (event: PointerEvent) => {
    const inside = this.#host?.contains(event.target) === true;
    this.#guard.record(event, inside);
    this.#setKeyboard(false);
    if (!inside) this.#hotspots.close(false);
  };

  readonly #onMouseDown = (event: MouseEvent) => {
    const host = this.#host;
    if (!host?.contains(event.target)) return;
    const pressed = host.shadow.elementFromPoint(event.clientX, event.clientY);
    // The focus stays in the popover, so that Enter works after a click that does nothing.
    if (pressed === this.#blocker || pressed === this.#guard.element) event.preventDefault();
  };

  readonly #onClick = (event: MouseEvent) => {
    const view = this.#view;
    const host = this.#host;
    // Clicks of keys have no position. The blocker receives those on a dimmed page.
    if (!view?.element || event.detail === 0 || !this.#isPageUsable() || this.#isWaiting) return;
    const path = event.composedPath();
    const isInside = [view.element, this.#bar()].some(each => each && path.includes(each));
    if (!isInside && !host?.contains(event.target)) this.#onOutside();
  };

  readonly #onOutside = () => {
    // The visitor cannot have seen the step yet.
    if (performance.now() - this.#shownAt >= PRESS_GUARD_MS) this.#onCommand('overlay');
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    this.#setKeyboard(true);
    const inside = this.#host?.contains(event.target) === true;
    const focused = inside && this.#host?.shadow.activeElement;
    if (event.key === 'Enter' && focused instanceof HTMLButtonElement) {
      consume(event);
      this.#host?.click(focused);
      return;
    }
    if (event.key === REACH_KEY && inside) {
      consume(event);
      this.#focusPage();
      return;
    }
    if (!this.#view) {
      if (event.key !== 'Escape') return;
      if (inside && this.#hotspots.isOpen) {
        consume(event);
        this.#hotspots.close(true);
      } else if (this.#isWaiting && (inside || event.target === document.body)) this.#command(event, 'escape');
      return;
    }
    const free = this.#isPageUsable();
    // A usable page keeps its keys if one of its elements has the focus.
    if (free && !inside && event.target !== document.body) return;
    if (event.key === 'Escape') this.#command(event, 'escape');
    else if (event.key === 'Tab') {
      if (!free) this.#moveFocus(event);
    } else if (this.#isUsable(focusedElement())) return;
    else if (event.key === 'Enter' && !inside) this.#returnFocus(event);
    else if (isTyping()) return;
    else if (event.key === 'ArrowRight') this.#command(event, this.#isRightToLeft() ? 'previous' : 'next');
    else if (event.key === 'ArrowLeft') this.#command(event, this.#isRightToLeft() ? 'next' : 'previous');
  };

  /** Moves the focus to the popover or the first beacon, unless the page uses the key itself. */
  readonly #onUnusedKey = (event: KeyboardEvent) => {
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (event.key !== REACH_KEY || event.defaultPrevented || hasModifier) return;
    consume(event);
    if (this.#card) this.#focusCard();
    else this.#hotspots.focusFirst();
  };

  #focusPage() {
    const left = this.#host?.left;
    if (left?.isConnected) (left as HTMLElement).focus({ preventScroll: true });
    else (this.#host?.shadow.activeElement as HTMLElement | null)?.blur();
  }

  /** Focuses the primary button. A card without one gets the focus itself, so that no key presses Previous or Close. */
  #focusCard() {
    (this.#primaryButton() ?? this.#card?.element)?.focus({ preventScroll: true });
  }

  /** The element keeps its keys while the focus is in it, such as the arrow keys of a menu. */
  #isUsable(focused: Element | null): boolean {
    return focused !== null && this.#usableElements().some(each => each.contains(focused));
  }

  /** A dialog of the page may have taken the focus from the popover, but must not receive its keys. */
  #returnFocus(event: KeyboardEvent) {
    consume(event);
    const primary = this.#primaryButton();
    if (primary) this.#host?.click(primary);
    else this.#focusCard();
  }

  #primaryButton(): HTMLButtonElement | undefined {
    return this.#card?.buttons.find(each => each.className === 'primary');
  }

  #command(event: KeyboardEvent, command: Command) {
    consume(event);
    this.#onCommand(command);
  }

  /** Keeps the focus in the popover and the highlighted element. */
  #moveFocus(event: KeyboardEvent) {
    const card = this.#card;
    const host = this.#host;
    if (!card || !host) return;
    const stops = [...this.#usableElements(), ...focusableIn(card.element)];
    const focused = host.shadow.activeElement ?? focusedElement();
    const at = stops.findIndex(stop => stop === focused);
    consume(event);
    const to = event.shiftKey ? Math.max(at, 0) - 1 : at + 1;
    stops.at(to % stops.length)?.focus();
  }
}

function consume(event: Event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const holeIn = ({ left, top, width, height }: Box) =>
  `path(evenodd, "M0 0H99999V99999H0Z M${left} ${top}H${left + width}V${top + height}H${left}Z")`;

/** `bar` is an element at the top of the window that tours neither cover nor close, such as that of the preview. */
export const embedRenderer =
  (texts: RendererTexts, bar: () => Element | null = () => null): RendererFactory =>
  (steps, theme, onCommand, language = null) =>
    new EmbedRenderer(steps.map(({ key }) => key).join(), theme, texts, onCommand, language, bar);
