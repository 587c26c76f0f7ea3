// Draws a tour's steps on any page. Changes nothing of the page except its scroll position and its focus.

import { controlsOf, focusableIn } from '../../src/player/control';
import { jsonOf } from '../../src/player/json';
import { type FoundLook, lookOf, watchScheme } from '../../src/player/look';
import { between, type Box, place } from '../../src/player/position';
import { frameOf } from '../../src/player/target';
import type {
  Command,
  HotspotView,
  PlayTheme,
  Renderer,
  RendererFactory,
  Side,
  StepView,
  TourLanguage,
} from '../../src/player/types';
import { type Card, type CardButton, createButton, createCard } from './card';
import { focusedElement, isTyping } from './focus';
import { Host, HOST_ATTRIBUTE } from './host';
import type { RendererTexts } from './texts';

/** Width of the window below which the popover is a sheet, as in renderer.css. */
const SHEET_WIDTH = 480;
const BEACON_SIZE = 24;
const BEACON_OFFSET = 8;

const OURS = `[${HOST_ATTRIBUTE}]`;

/** The point of an element's box where its beacon is, as shares of width and height. */
const BEACON_PLACES: Record<Side, readonly [x: number, y: number]> = {
  AUTO: [1, 0],
  TOP: [0.5, 0],
  RIGHT: [1, 0.5],
  BOTTOM: [0.5, 1],
  LEFT: [0, 0.5],
};

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  const frame = frameOf(element);
  if (!frame) return { left, top, width, height };
  const outer = boxOf(frame);
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  // A transformed frame also scales its content.
  const scale = outer.width / (frame as HTMLElement).offsetWidth || 1;
  return {
    left: outer.left + scale * (left + frame.clientLeft + Number.parseFloat(paddingLeft)),
    top: outer.top + scale * (top + frame.clientTop + Number.parseFloat(paddingTop)),
    width: scale * width,
    height: scale * height,
  };
}

/** True if another element, such as a sticky header, is in front of the element's center. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  // Without this function if the element was just removed.
  const tree = element.getRootNode() as Node & Partial<DocumentOrShadowRoot>;
  const front = tree.elementsFromPoint?.(left + width / 2, top + height / 2).find(each => !each.matches(OURS));
  return front !== undefined && !element.contains(front) && !front.contains(element);
}

function reveal(element: Element) {
  const { left, top, width, height } = boxOf(element);
  const inWindow = top >= 0 && left >= 0 && top + height <= innerHeight && left + width <= innerWidth;
  const seen = inWindow && !isCovered(element);
  // `nearest` moves nothing if the element is visible in all of its scroll containers.
  const block = seen ? 'nearest' : height < innerHeight / 2 ? 'center' : 'start';
  element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
}

const LOOK_KEY = 'waypost.look';

/** Returns the look of the tour on the previous pages of this tab, so that it does not change with the page. */
function storedLook(tour: string): FoundLook {
  try {
    const [of, look] = JSON.parse(sessionStorage.getItem(LOOK_KEY) ?? '[]') as [string?, FoundLook?];
    if (of === tour && look) return look;
  } catch {
    // The browser blocks storage.
  }
  return { accents: {} };
}

function storeLook(tour: string, look: FoundLook) {
  try {
    sessionStorage.setItem(LOOK_KEY, jsonOf([tour, look]));
  } catch {
    // Each page has its own look.
  }
}

interface Hotspot {
  view: HotspotView;
  beacon: HTMLButtonElement;
}

class EmbedRenderer implements Renderer {
  private host: Host | null = null;
  private frame = 0;
  private view: StepView | null = null;
  private card: Card | null = null;
  private readonly blocker = document.createElement('div');
  private readonly stage = document.createElement('div');
  private readonly status = document.createElement('div');
  /** The last drawn box of the stage, and the one at which its animation began. */
  private stageBox: Box | null = null;
  private animation: { from: Box; start: number } | null = null;
  private readonly hotspots = new Map<number, Hotspot>();
  private openHotspot: number | null = null;
  private readonly previouslyFocused = focusedElement();
  private unwatchScheme = () => {};
  private readonly look: FoundLook;

  constructor(
    private readonly tour: string,
    private readonly theme: PlayTheme,
    private readonly texts: RendererTexts,
    private readonly onCommand: (command: Command) => void,
    private readonly language: TourLanguage | null,
  ) {
    this.look = storedLook(tour);
    this.blocker.className = 'blocker';
    this.stage.className = 'stage';
    this.status.className = 'status';
    this.status.role = 'status';
    this.blocker.addEventListener('click', () => onCommand('overlay'));
  }

  async show(view: StepView): Promise<void> {
    const host = this.open();
    this.view = view;
    // The page may have changed its colors since the last step.
    this.updateLook();
    if (view.element) reveal(view.element);
    if (this.stageBox) this.animation = { from: this.stageBox, start: performance.now() };
    const free = this.isPageUsable();
    this.stage.classList.toggle('clear', view.element !== null && view.step.kind === 'TOOLTIP');
    this.blocker.hidden = free;
    this.stage.hidden = false;
    const mayFocus = !(free && isTyping());
    this.replaceCard(this.cardOf(view));
    this.card?.element.setAttribute('aria-modal', String(!free && this.usableElements().length === 0));
    this.draw();
    if (mayFocus)
      // Without a primary button, a key must not press Previous or Close.
      (this.primaryButton() ?? this.card?.element)?.focus({
        preventScroll: true,
      });
    const { count } = view;
    // The focus announces the title already.
    const texts = [count ? this.texts.announce(count.at, count.of) : '', mayFocus ? '' : view.step.title];
    // Screen readers ignore the initial text of a live region.
    requestAnimationFrame(() => (this.status.textContent = texts.filter(Boolean).join('. ')));
    host.mount();
  }

  private cardOf({ step, back, next, last, choices, count }: StepView): Card {
    const { texts } = this;
    const buttons: CardButton[] = choices.map(({ label }, choose) => ({
      label,
      look: choose === 0 ? 'primary' : 'secondary',
      press: () => this.onCommand({ choose }),
    }));
    if (next) {
      const label = last ? (step.doneLabel ?? texts.done) : (step.nextLabel ?? texts.next);
      buttons.push({ label, look: 'primary', press: () => this.onCommand('next') });
    }
    if (back) {
      const label = step.previousLabel ?? texts.previous;
      // Below a list of branches, and before the only button otherwise.
      const at = choices.length > 1 ? choices.length : 0;
      buttons.splice(at, 0, { label, look: 'quiet', press: () => this.onCommand('previous') });
    }
    return createCard(step, count ? texts.count(count.at, count.of) : '', buttons, texts, () =>
      this.onCommand('close'),
    );
  }

  showProgress(): void {
    const element = this.card?.element;
    if (!element || !this.view) return;
    element.classList.add('busy');
    // Not on the whole card, because screen readers do not announce changes in a busy element.
    element.querySelector('.wp-text')?.setAttribute('aria-busy', 'true');
    this.status.textContent = this.texts.loading;
  }

  async hide(): Promise<void> {
    this.view = null;
    this.stageBox = null;
    this.animation = null;
    this.blocker.hidden = true;
    this.stage.hidden = true;
    this.replaceCard(null);
    if (this.hotspots.size === 0) this.remove();
  }

  async close(): Promise<void> {
    for (const index of this.hotspots.keys()) this.hideHotspot(index);
    await this.hide();
  }

  async showHotspot(view: HotspotView): Promise<void> {
    const host = this.open();
    this.updateLook();
    const beacon = createButton('', 'beacon', () => this.toggleHotspot(view.index));
    beacon.ariaLabel = this.texts.hotspot(view.step.title);
    beacon.ariaHasPopup = 'dialog';
    beacon.ariaExpanded = 'false';
    this.hotspots.set(view.index, { view, beacon });
    host.page.prepend(beacon);
    this.draw();
  }

  hideHotspot(index: number): void {
    const hotspot = this.hotspots.get(index);
    if (!hotspot) return;
    const wasOpen = this.openHotspot === index;
    if (wasOpen) this.closeHotspot(false);
    hotspot.beacon.remove();
    this.hotspots.delete(index);
    const [other] = this.hotspots.values();
    if (!other && !this.view) this.remove();
    else if (wasOpen) other?.beacon.focus();
  }

  private toggleHotspot(index: number) {
    const wasOpen = this.openHotspot === index;
    this.closeHotspot(wasOpen);
    const hotspot = this.hotspots.get(index);
    if (wasOpen || !hotspot) return;
    this.openHotspot = index;
    const { step, next } = hotspot.view;
    const finish = () => this.onCommand({ hotspot: index, does: 'finish' });
    const label = step.doneLabel ?? this.texts.gotIt;
    const buttons: CardButton[] = next ? [{ label, look: 'primary', press: finish }] : [];
    this.replaceCard(createCard(step, '', buttons, this.texts, () => this.closeHotspot(true)));
    hotspot.beacon.ariaExpanded = 'true';
    this.draw();
    (this.card?.buttons[0] ?? this.card?.element)?.focus({ preventScroll: true });
    this.onCommand({ hotspot: index, does: 'open' });
  }

  private closeHotspot(toBeacon: boolean) {
    const hotspot = this.openHotspot === null ? undefined : this.hotspots.get(this.openHotspot);
    if (!hotspot) return;
    this.openHotspot = null;
    this.replaceCard(null);
    hotspot.beacon.ariaExpanded = 'false';
    if (toBeacon) hotspot.beacon.focus();
  }

  private replaceCard(card: Card | null) {
    this.card?.element.remove();
    this.card = card;
    if (card) this.host?.page.append(card.element);
  }

  /** Adds the host to the page, and follows the page until everything is removed. */
  private open(): Host {
    if (this.host) return this.host;
    // Before the listeners of the host, which stop the keys of the popover.
    window.addEventListener('keydown', this.onKey, true);
    const host = new Host(this.language);
    this.host = host;
    host.page.append(this.blocker, this.stage, this.status);
    this.blocker.hidden = true;
    this.stage.hidden = true;
    host.mount();
    window.addEventListener('pointerdown', this.onPointer, true);
    this.unwatchScheme = watchScheme(() => {
      // Colors that were examined during a transition are wrong.
      this.look.accents = {};
      this.updateLook();
    });
    this.frame = requestAnimationFrame(this.onFrame);
    return host;
  }

  private remove() {
    const { host } = this;
    if (!host) return;
    this.host = null;
    cancelAnimationFrame(this.frame);
    window.removeEventListener('keydown', this.onKey, true);
    window.removeEventListener('pointerdown', this.onPointer, true);
    this.unwatchScheme();
    const focused = document.activeElement;
    // Do not move the focus if the visitor has moved it to an element of the page.
    const focusLost = focused === null || focused === document.body || host.contains(focused);
    host.remove();
    const before = host.left?.isConnected ? host.left : this.previouslyFocused;
    if (focusLost && before?.isConnected && before !== document.body)
      (before as HTMLElement).focus({ preventScroll: true });
  }

  private updateLook() {
    this.host?.setLook(lookOf(this.theme, OURS, this.look));
    storeLook(this.tour, this.look);
  }

  private readonly onFrame = () => {
    this.frame = requestAnimationFrame(this.onFrame);
    this.host?.mount();
    this.draw();
  };

  private draw() {
    for (const { view, beacon } of this.hotspots.values()) {
      const [x, y] = BEACON_PLACES[view.step.side];
      const { left, top, width, height } = boxOf(view.element);
      const across = view.step.side === 'AUTO' && this.isRightToLeft() ? 1 - x : x;
      move(beacon, { left: left + width * across - BEACON_SIZE / 2, top: top + height * y - BEACON_SIZE / 2 });
    }
    const { view, theme } = this;
    if (view) {
      const target = this.stageOf(view.element);
      this.stageBox = this.animated(target);
      move(this.stage, this.stageBox);
      setStyle(this.stage, 'width', `${round(this.stageBox.width)}px`);
      setStyle(this.stage, 'height', `${round(this.stageBox.height)}px`);
      const hole = view.element && !view.step.blockPage;
      setStyle(this.blocker, 'clip-path', hole ? holeIn(target) : 'none');
      this.placeCard(view.element && target, view.step.side, theme.popoverOffset);
    } else if (this.openHotspot !== null) {
      const beacon = this.hotspots.get(this.openHotspot)?.beacon;
      if (beacon) this.placeCard(boxOf(beacon), 'AUTO', BEACON_OFFSET);
    }
  }

  private stageOf(element: Element | null): Box {
    if (!element) return { left: innerWidth / 2, top: innerHeight / 2, width: 0, height: 0 };
    const { stagePadding: padding } = this.theme;
    const { left, top, width, height } = boxOf(element);
    return { left: left - padding, top: top - padding, width: width + 2 * padding, height: height + 2 * padding };
  }

  private animated(target: Box): Box {
    const { animation } = this;
    if (!animation || matchMedia('(prefers-reduced-motion: reduce)').matches) return target;
    const share = Math.min(1, (performance.now() - animation.start) / Math.max(1, this.theme.animationMs));
    if (share === 1) this.animation = null;
    return between(animation.from, target, 1 - (1 - share) ** 3);
  }

  private placeCard(box: Box | null, side: Side, offset: number) {
    const element = this.card?.element;
    if (!element) return;
    const isSheet = box !== null && innerWidth < SHEET_WIDTH;
    element.classList.toggle('sheet', isSheet);
    element.classList.toggle('high', box !== null && box.top + box.height / 2 > innerHeight / 2);
    const { offsetWidth: width, offsetHeight: height } = element;
    let edge: string | null = null;
    if (isSheet) element.style.removeProperty('translate');
    else if (box) {
      const viewport = { width: innerWidth, height: innerHeight };
      const position = place(box, { width, height }, viewport, side, offset, this.isRightToLeft());
      edge = position.edge;
      move(element, position);
      setStyle(element, '--wp-arrow', `${Math.round(position.arrow)}px`);
    } else move(element, { left: (innerWidth - width) / 2, top: (innerHeight - height) / 2 });
    // Only if it changed, because each new value makes the browser compute styles.
    if (!edge) delete element.dataset['edge'];
    else if (element.dataset['edge'] !== edge) element.dataset['edge'] = edge;
  }

  private isRightToLeft(): boolean {
    return this.host?.page.dir === 'rtl';
  }

  private isPageUsable(): boolean {
    const { view } = this;
    return !view || (view.step.kind === 'TOOLTIP' && view.element !== null && !view.step.blockPage);
  }

  /** The element is usable only if the rest of the page is not. */
  private usableElements(): HTMLElement[] {
    const { element = null, step } = this.view ?? {};
    return element && step?.kind === 'SPOTLIGHT' && !step.blockPage ? controlsOf(element) : [];
  }

  private readonly onPointer = (event: PointerEvent) => {
    if (this.openHotspot !== null && !this.host?.contains(event.target)) this.closeHotspot(false);
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inside = this.host?.contains(event.target) === true;
    const focused = inside && this.host?.shadow.activeElement;
    if (event.key === 'Enter' && focused instanceof HTMLButtonElement) {
      consume(event);
      this.host?.click(focused);
      return;
    }
    if (!this.view) {
      if (event.key === 'Escape' && inside && this.openHotspot !== null) {
        consume(event);
        this.closeHotspot(true);
      }
      return;
    }
    const free = this.isPageUsable();
    // A usable page keeps its keys if one of its elements has the focus.
    if (free && !inside && event.target !== document.body) return;
    if (event.key === 'Escape') this.command(event, 'escape');
    else if (event.key === 'Tab') {
      if (!free) this.moveFocus(event);
    } else if (this.isUsable(focusedElement())) return;
    else if (event.key === 'Enter' && !inside) this.returnFocus(event);
    else if (isTyping()) return;
    else if (event.key === 'ArrowRight') this.command(event, this.isRightToLeft() ? 'previous' : 'next');
    else if (event.key === 'ArrowLeft') this.command(event, this.isRightToLeft() ? 'next' : 'previous');
  };

  /** The element keeps its keys while the focus is in it, such as the arrow keys of a menu. */
  private isUsable(focused: Element | null): boolean {
    return focused !== null && this.usableElements().some(each => each.contains(focused));
  }

  /** A dialog of the page may have taken the focus from the popover, but must not receive its keys. */
  private returnFocus(event: KeyboardEvent) {
    consume(event);
    const primary = this.primaryButton();
    if (primary) this.host?.click(primary);
    else this.card?.element.focus({ preventScroll: true });
  }

  private primaryButton(): HTMLButtonElement | undefined {
    return this.card?.buttons.find(each => each.className === 'primary');
  }

  private command(event: KeyboardEvent, command: Command) {
    consume(event);
    this.onCommand(command);
  }

  /** Keeps the focus in the popover and the highlighted element. */
  private moveFocus(event: KeyboardEvent) {
    const { card, host } = this;
    if (!card || !host) return;
    const stops = [...this.usableElements(), ...focusableIn(card.element)];
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

/** Compares first, because this runs in each frame. */
function setStyle(element: HTMLElement, name: string, value: string) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}

/** Uses a translation, which is not a layout shift of the page (Cumulative Layout Shift). */
function move(element: HTMLElement, { left, top }: Pick<Box, 'left' | 'top'>) {
  setStyle(element, 'translate', `${round(left)}px ${round(top)}px`);
}

const round = (pixels: number) => Math.round(pixels * 100) / 100;

const holeIn = ({ left, top, width, height }: Box) =>
  `path(evenodd, "M0 0H${innerWidth}V${innerHeight}H0Z M${left} ${top}H${left + width}V${top + height}H${left}Z")`;

export const embedRenderer =
  (texts: RendererTexts): RendererFactory =>
  (steps, theme, onCommand, language = null) =>
    new EmbedRenderer(steps.map(({ key }) => key).join(), theme, texts, onCommand, language);
