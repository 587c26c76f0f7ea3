// The beacons of hotspots, and the popover of the open one.

import { visibleBoxOf } from '../player/box';
import type { Box } from '../player/position';
import { hasBox } from '../player/target';
import type { Command, HotspotView, Side } from '../player/types';
import { type Card, type CardButton, createButton, createCard } from './card';
import { reveal } from './reveal';
import type { Styles } from './styles';
import type { RendererTexts } from './texts';

/** Moves the focus between the page and the popover, as it does between the panes of applications. */
export const REACH_KEY = 'F6';

const BEACON_SIZE = 24;

/** The point of an element's box where its beacon is, as shares of width and height. */
const BEACON_PLACES: Record<Side, readonly [x: number, y: number]> = {
  AUTO: [1, 0],
  TOP: [0.5, 0],
  RIGHT: [1, 0.5],
  BOTTOM: [0.5, 1],
  LEFT: [0, 0.5],
};

interface Hotspot {
  view: HotspotView;
  beacon: HTMLButtonElement;
}

export class Hotspots {
  readonly #shown = new Map<number, Hotspot>();
  #open: number | null = null;

  /** `onCard` receives the popover of the open hotspot, or null when it closes. */
  readonly #texts: RendererTexts;
  readonly #onCommand: (command: Command) => void;
  readonly #onCard: (card: Card | null) => void;

  constructor(texts: RendererTexts, onCommand: (command: Command) => void, onCard: (card: Card | null) => void) {
    this.#texts = texts;
    this.#onCommand = onCommand;
    this.#onCard = onCard;
  }

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  indexes(): number[] {
    return [...this.#shown.keys()];
  }

  elements(): Element[] {
    return [...this.#shown.values()].map(({ view }) => view.element);
  }

  announcements(): string[] {
    return [...this.#shown.values()].map(({ view }) => this.#texts.hotspot(view.step.title));
  }

  /** Returns the new beacon. */
  add(view: HotspotView): HTMLButtonElement {
    const beacon = createButton('', 'beacon', () => this.#toggle(view.index));
    beacon.ariaLabel = this.#texts.hotspot(view.step.title);
    beacon.ariaHasPopup = 'dialog';
    beacon.ariaExpanded = 'false';
    beacon.setAttribute('aria-keyshortcuts', REACH_KEY);
    this.#shown.set(view.index, { view, beacon });
    return beacon;
  }

  /** The focus moves from the popover of a removed hotspot to the next beacon. */
  remove(index: number): void {
    const hotspot = this.#shown.get(index);
    if (!hotspot) return;
    const wasOpen = this.#open === index;
    if (wasOpen) this.close(false);
    hotspot.beacon.remove();
    this.#shown.delete(index);
    const [other] = this.#shown.values();
    if (wasOpen) other?.beacon.focus();
  }

  /** Returns false if the index is not that of a hotspot. */
  replaceElement(index: number, element: Element): boolean {
    const hotspot = this.#shown.get(index);
    if (hotspot) hotspot.view = { ...hotspot.view, element };
    return hotspot !== undefined;
  }

  focusFirst(): void {
    const [hotspot] = this.#shown.values();
    if (!hotspot) return;
    reveal(hotspot.view.element);
    hotspot.beacon.focus();
  }

  #toggle(index: number) {
    const wasOpen = this.#open === index;
    this.close(wasOpen);
    const hotspot = this.#shown.get(index);
    if (wasOpen || !hotspot) return;
    this.#open = index;
    const { step, next } = hotspot.view;
    const finish = () => this.#onCommand({ hotspot: index, does: 'finish' });
    const label = step.doneLabel ?? this.#texts.gotIt;
    const buttons: CardButton[] = next ? [{ label, look: 'primary', press: finish }] : [];
    const card = createCard(step, '', buttons, this.#texts, () => this.close(true));
    hotspot.beacon.ariaExpanded = 'true';
    this.#onCard(card);
    (card.buttons[0] ?? card.element).focus({ preventScroll: true });
    this.#onCommand({ hotspot: index, does: 'open' });
  }

  close(toBeacon: boolean): void {
    const hotspot = this.#open === null ? undefined : this.#shown.get(this.#open);
    if (!hotspot) return;
    this.#open = null;
    this.#onCard(null);
    hotspot.beacon.ariaExpanded = 'false';
    if (toBeacon) hotspot.beacon.focus();
  }

  /** Returns the box of the beacon whose popover is open. */
  draw(styles: Styles, card: HTMLElement | undefined, isRightToLeft: boolean): Box | null {
    let openBox: Box | null = null;
    for (const [index, { view, beacon }] of this.#shown) {
      const isOpen = this.#open === index;
      drawBeacon(styles, view, beacon, isOpen ? card : undefined, isRightToLeft);
      if (isOpen) openBox = visibleBoxOf(beacon);
    }
    return openBox;
  }
}

function drawBeacon(
  styles: Styles,
  { step, element }: HotspotView,
  beacon: HTMLElement,
  card: HTMLElement | undefined,
  isRightToLeft: boolean,
) {
  if (!hasBox(element)) return;
  const [x, y] = BEACON_PLACES[step.side];
  const { left, top, width, height } = visibleBoxOf(element);
  const across = step.side === 'AUTO' && isRightToLeft ? 1 - x : x;
  styles.move(beacon, { left: left + width * across - BEACON_SIZE / 2, top: top + height * y - BEACON_SIZE / 2 });
  // The page has scrolled the element away.
  for (const each of card ? [beacon, card] : [beacon])
    styles.set(each, 'visibility', width * height > 0 ? 'visible' : 'hidden');
}
