// Draws steps with intro.js, which only this module and intro-hotspots.ts depend on. Differs from its defaults:
//
// - Titles and bodies are never interpreted as HTML; intro.js would run scripts in them.
// - The theme's five numbers apply exactly, and popovers are at the same place as in customers' pages.
// - Elements are located when their step is shown, and never changed.
// - Buttons and keys become commands; the player decides which step follows.
// - The popover is a dialog with a live counter. On a dimmed page, the focus is trapped in the popover and the usable
// element. At the end, the focus returns.

import 'intro.js/introjs.css';
import './intro.css';
import '../../embed/player/markdown.css';
import { autoUpdate } from '@floating-ui/dom';
import introJs from 'intro.js';
import { visibleBoxOf, visibleWindow } from '../../embed/player/box';
import { type FoundLook, lookOf, watchScheme } from '../../embed/player/look';
import { plainText } from '../../embed/player/markdown';
import { markdownNodes } from '../../embed/player/markdown-nodes';
import { type Box, place } from '../../embed/player/position';
import { PRESS_GUARD_MS, PressGuard } from '../../embed/player/press-guard';
import { traitsOf } from '../../embed/player/step-kinds';
import { hasBox } from '../../embed/player/target';
import type {
  Command,
  HotspotView,
  PlayStep,
  PlayTheme,
  Renderer,
  RendererFactory,
  StepView,
  TourLanguage,
} from '../../embed/player/types';
import { t } from '../shared/i18n/en/player';
import { isTyping } from '../shared/lib/is-typing';
import { IntroHotspots } from './intro-hotspots';

type IntroTour = ReturnType<typeof introJs.tour>;

const POPOVER = '.introjs-tooltip.wp-popover';
const BUTTONS: ReadonlyArray<readonly [selector: string, command: Command]> = [
  ['.introjs-nextbutton', 'next'],
  ['.introjs-prevbutton', 'previous'],
  ['.introjs-skipbutton', 'close'],
];
const INTRO_EXIT_MS = 260;

const DRAWN = '[class*=introjs]';

/** Returns the CSS custom properties that intro.css reads. */
function propertiesOf(theme: PlayTheme, found: FoundLook): Record<string, string> {
  const { 'color-scheme': scheme = 'light', 'font-family': font = '', ...look } = lookOf(theme, DRAWN, found);
  return { ...look, '--wp-scheme': scheme, '--wp-font': font };
}

function reveal(element: Element) {
  const { top, bottom, left, right, height } = element.getBoundingClientRect();
  const seen = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!seen) element.scrollIntoView({ block: height < innerHeight / 2 ? 'center' : 'start', inline: 'nearest' });
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

function focusable(element: Element): HTMLElement[] {
  const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return element instanceof HTMLElement && element.matches(FOCUSABLE) ? [element, ...inside] : inside;
}

const countText = (view: StepView | null): string => (view?.count ? t.count(view.count.at, view.count.of) : '');

/** Set on the page. A tour may start before the previous one has been removed. */
let activeProperties: Readonly<Record<string, string>> | null = null;

class IntroRenderer implements Renderer {
  private tour: IntroTour | null = null;
  private popover: HTMLElement | null = null;
  private view: StepView | null = null;
  private unfollow: (() => void) | null = null;
  private readonly hotspots: IntroHotspots;
  private readonly previouslyFocused = document.activeElement;
  private unwatchScheme = () => {};
  private readonly look: FoundLook = { accents: {} };
  private readonly properties: Record<string, string> = {};
  private readonly guard = new PressGuard();
  private shownAt = 0;
  /** True while the tour waits for an element. */
  private isWaiting = false;
  private waitingPopover: HTMLElement | null = null;
  /** The last box of the element, which the page may have removed to render it again. */
  private targetBox: Box | null = null;
  private readonly watcher = new MutationObserver(() => this.enhancePopover());

  constructor(
    private readonly steps: readonly PlayStep[],
    private readonly theme: PlayTheme,
    private readonly onCommand: (command: Command) => void,
    private readonly language: TourLanguage | null,
  ) {
    this.hotspots = new IntroHotspots(onCommand);
  }

  async show(view: StepView): Promise<void> {
    this.stopWaiting();
    this.applyTheme();
    this.shownAt = performance.now();
    this.targetBox = null;
    const { blockPage } = view.step;
    // A centered tooltip is modal.
    const free = !traitsOf(view.step).dims && view.element !== null;
    document.documentElement.dataset.wpStep = `${free ? 'tooltip' : 'dialog'}${blockPage ? ' blocks' : ''}`;
    if (this.tour) {
      this.clearProgress();
      this.place(this.tour, view);
      // goToStep is relative and cannot reach the first step.
      await this.tour.setCurrentStep(view.index);
    } else {
      await this.open(view);
    }
    this.enhancePopover();
    this.guard.raise(document.body, each => Boolean(each?.closest(DRAWN)));
  }

  showProgress(): void {
    this.isWaiting = true;
    if (!this.view?.next && !this.view?.choices.length) {
      void this.removeDrawn().then(() => this.isWaiting && this.showWaiting());
      return;
    }
    // The page is usable.
    document.documentElement.dataset.wpStep = 'tooltip';
    this.popover?.setAttribute('aria-modal', 'false');
    this.popover?.classList.add('wp-busy');
    // Screen readers ignore changes in a busy element.
    this.popover?.querySelector('.introjs-tooltiptext')?.setAttribute('aria-busy', 'true');
    this.setStatus(t.loading);
  }

  /** Instead of the popover, so that the visitor can use the page. */
  private showWaiting() {
    const text = document.createElement('span');
    text.setAttribute('role', 'status');
    const close = document.createElement('button');
    close.className = 'introjs-skipbutton';
    close.type = 'button';
    close.textContent = '×';
    close.setAttribute('aria-label', t.close);
    close.addEventListener('click', () => this.onCommand('close'));
    this.waitingPopover = document.createElement('div');
    this.waitingPopover.className = 'wp-popover wp-busy wp-waiting introjs-waiting';
    this.waitingPopover.append(text, close);
    document.body.append(this.waitingPopover);
    // Screen readers ignore the initial text of a live region.
    requestAnimationFrame(() => (text.textContent = t.waiting));
    this.listen();
  }

  private stopWaiting() {
    this.isWaiting = false;
    if (!this.waitingPopover) return;
    this.waitingPopover.remove();
    this.waitingPopover = null;
    this.stopListening();
  }

  private clearProgress() {
    this.popover?.classList.remove('wp-busy');
    this.popover?.querySelector('.introjs-tooltiptext')?.removeAttribute('aria-busy');
    this.setStatus(countText(this.view));
  }

  private setStatus(text: string) {
    const status = this.popover?.querySelector('.introjs-helperNumberLayer');
    if (status) status.textContent = text;
  }

  async showHotspot(view: HotspotView): Promise<void> {
    this.applyTheme();
    await this.hotspots.show(view);
  }

  hideHotspot(index: number): void {
    this.hotspots.hide(index);
  }

  replaceElement(index: number, element: Element): void {
    if (this.hotspots.replaceElement(index, element) || this.view?.index !== index) return;
    this.view = { ...this.view, element };
    if (this.tour) this.tour.getStep(index).element = element;
    this.followElement();
    this.onMove();
  }

  private applyTheme() {
    // The page may have changed its colors since the last step.
    this.setProperties(propertiesOf(this.theme, this.look));
  }

  private setProperties(properties: Readonly<Record<string, string>>) {
    Object.assign(this.properties, properties);
    activeProperties = this.properties;
    for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
  }

  private async open(view: StepView): Promise<void> {
    const tour = introJs.tour();
    tour.setOptions({
      steps: this.steps.map(step => ({ title: step.title, intro: plainText(step.body) })),
      helperElementPadding: 2 * this.theme.stagePadding,
      overlayOpacity: this.theme.overlayOpacity,
      highlightClass: 'wp-stage',
      tooltipClass: 'wp-popover',
      prevLabel: t.previous,
      skipLabel: '×',
      tooltipRenderAsHtml: false,
      showBullets: false,
      showStepNumbers: true,
      stepNumbersOfLabel: t.of,
      keyboardNavigation: false,
      exitOnEsc: false,
      exitOnOverlayClick: false,
      scrollToElement: false,
      autoPosition: true,
    });
    // Nothing is drawn yet, so the run can begin with any step.
    tour.onAfterChange(async () => {
      if (this.tour) return;
      this.tour = tour;
      this.place(tour, view);
      await tour.setCurrentStep(view.index);
    });
    this.watcher.observe(document.body, { childList: true, subtree: true });
    this.listen();
    this.unwatchScheme = watchScheme(() => {
      // Colors that were examined during a transition are wrong.
      this.look.accents = {};
      this.applyTheme();
    });
    await tour.start();
  }

  private listen() {
    document.addEventListener('click', this.onClick, true);
    window.addEventListener('keydown', this.onKey, true);
    window.addEventListener('pointerdown', this.onPointer, true);
    window.addEventListener('mousedown', this.onMouseDown, true);
    window.addEventListener('scroll', this.onMove, { capture: true, passive: true });
    window.addEventListener('resize', this.onMove, { passive: true });
    for (const type of ['scroll', 'resize']) window.visualViewport?.addEventListener(type, this.onMove);
  }

  private stopListening() {
    document.removeEventListener('click', this.onClick, true);
    window.removeEventListener('keydown', this.onKey, true);
    window.removeEventListener('pointerdown', this.onPointer, true);
    window.removeEventListener('mousedown', this.onMouseDown, true);
    window.removeEventListener('scroll', this.onMove, true);
    window.removeEventListener('resize', this.onMove);
    for (const type of ['scroll', 'resize']) window.visualViewport?.removeEventListener(type, this.onMove);
  }

  private place(tour: IntroTour, view: StepView) {
    this.view = view;
    const { index, step, element } = view;
    const drawn = tour.getStep(index);
    if (element) {
      reveal(element);
      drawn.element = element;
      // CSS positions the popover; see `placePopover`.
      drawn.position = 'bottom';
    } else {
      drawn.element = tour.appendFloatingElement();
      drawn.position = 'floating';
    }
    // The player decides which step is the last one; intro.js would decide by the step's number.
    const label = view.last ? (step.doneLabel ?? t.done) : (step.nextLabel ?? t.next);
    tour.setOption('nextLabel', label);
    tour.setOption('doneLabel', label);
    tour.setOption('prevLabel', step.previousLabel ?? t.previous);
  }

  private enhancePopover() {
    const popover = document.querySelector<HTMLElement>(POPOVER);
    const { view } = this;
    if (!popover || !view || popover === this.popover) return;
    this.popover = popover;
    if (this.language) {
      popover.lang = this.language.locale;
      popover.dir = this.language.direction;
    }
    popover.setAttribute('aria-modal', String(!this.isPageUsable() && this.usableElements().length === 0));
    const title = popover.querySelector('.introjs-tooltip-title');
    if (title) {
      title.id = 'wp-popover-title';
      title.setAttribute('aria-level', '2');
      title.removeAttribute('aria-label');
      popover.removeAttribute('aria-label');
      popover.setAttribute('aria-labelledby', title.id);
    }
    const text = popover.querySelector('.introjs-tooltiptext');
    if (text) {
      text.id = 'wp-popover-text';
      text.classList.add('wp-text');
      text.replaceChildren(...markdownNodes(view.step.body));
      popover.setAttribute('aria-describedby', text.id);
    }
    popover.querySelector('.introjs-helperNumberLayer')?.setAttribute('role', 'status');
    this.setStatus(countText(view));
    const close = popover.querySelector('.introjs-skipbutton');
    close?.setAttribute('aria-label', t.close);
    close?.setAttribute('title', t.close);
    if (!view.back) popover.querySelector('.introjs-prevbutton')?.remove();
    if (!view.next) popover.querySelector('.introjs-nextbutton')?.remove();
    this.addChoices(popover, view);
    // intro.js focuses its button a millisecond later. By then, the visitor may be typing or have ended the tour.
    const next = popover.querySelector('.introjs-nextbutton');
    next?.replaceWith(next.cloneNode(true));
    for (const button of popover.querySelectorAll<HTMLElement>('[role=button]')) {
      // intro.js disables Previous at the first step of its list, which a branch may lead back to.
      button.classList.remove('introjs-disabled');
      button.removeAttribute('aria-disabled');
      button.tabIndex = 0;
    }
    // The visitor is typing in the page.
    if (!(this.isPageUsable() && isTyping(document.activeElement))) {
      const first = popover.querySelector<HTMLElement>('[data-wp-choice], .introjs-nextbutton');
      popover.tabIndex = -1;
      // Without a primary button, a key must not press Close. The page must not scroll to the preliminary position.
      (first ?? popover).focus({ preventScroll: true });
    }
    this.onMove();
    this.followElement();
  }

  private followElement() {
    const { popover, view } = this;
    this.unfollow?.();
    // `listen` covers scrolling and resizing.
    const options = { ancestorScroll: false, ancestorResize: false };
    this.unfollow = popover && view?.element ? autoUpdate(view.element, popover, this.onMove, options) : null;
  }

  /** Returns the box of the stage, or null for a popover in the center. */
  private stageBox(): Box | null {
    const element = this.view?.element;
    if (!element) return null;
    if (!this.targetBox || hasBox(element)) this.targetBox = visibleBoxOf(element);
    const { left, top, width, height } = this.targetBox;
    const { stagePadding: padding } = this.theme;
    return { left: left - padding, top: top - padding, width: width + 2 * padding, height: height + 2 * padding };
  }

  private addChoices(popover: HTMLElement, { choices }: StepView) {
    const buttons = popover.querySelector('.introjs-tooltipbuttons');
    for (const [index, { label }] of choices.entries()) {
      const button = document.createElement('a');
      button.className = 'introjs-button';
      button.setAttribute('role', 'button');
      button.dataset.wpChoice = String(index);
      button.textContent = label;
      buttons?.append(button);
    }
    if (choices.length < 2) return;
    buttons?.classList.add('wp-choices');
    buttons?.append(...buttons.querySelectorAll('.introjs-prevbutton'));
  }

  private placePopover() {
    const { popover, view } = this;
    const box = this.stageBox();
    if (!popover || !view || !box) return;
    const {
      edge,
      arrow,
      left: x,
      top: y,
    } = place(
      box,
      { width: popover.offsetWidth, height: popover.offsetHeight },
      visibleWindow(),
      view.step.side,
      this.theme.popoverOffset,
      getComputedStyle(document.documentElement).direction === 'rtl',
    );
    popover.dataset.wpEdge = edge ?? 'none';
    // Not on the popover, whose inline styles intro.js replaces.
    this.setProperties({ '--wp-x': `${x}px`, '--wp-y': `${y}px`, '--wp-arrow': `${arrow}px` });
  }

  private isPageUsable(): boolean {
    if (this.isWaiting) return true;
    const { element = null, step } = this.view ?? {};
    return step !== undefined && !traitsOf(step).dims && element !== null && !step.blockPage;
  }

  /** The element is usable only if the rest of the page is not. */
  private usableElements(): HTMLElement[] {
    const { element = null, step } = this.view ?? {};
    return element && step && traitsOf(step).dims && !step.blockPage && !this.isWaiting ? focusable(element) : [];
  }

  /** The element's stacking order stays. */
  private updateOverlay() {
    const overlay = document.querySelector<HTMLElement>('.introjs-overlay');
    if (!overlay) return;
    const box = this.stageBox();
    const low = box !== null && 2 * box.top + box.height > innerHeight;
    this.popover?.setAttribute('data-wp-sheet', low ? 'top' : 'bottom');
    if (!box || this.view?.step.blockPage) {
      overlay.style.clipPath = '';
      return;
    }
    const { left, top, width, height } = box;
    overlay.style.clipPath = `path(evenodd, "M0 0H${innerWidth}V${innerHeight}H0Z M${left} ${top}H${left + width}V${top + height}H${left}Z")`;
  }

  private readonly onPointer = (event: PointerEvent) => {
    const { target } = event;
    this.setKeyboard(false);
    this.guard.record(event, target instanceof Element && target.closest(DRAWN) !== null);
  };

  /** Shows where the focus is only to visitors who move it with the keyboard. */
  private setKeyboard(isUsed: boolean) {
    document.documentElement.toggleAttribute('data-wp-keyboard', isUsed);
  }

  private readonly onMouseDown = (event: MouseEvent) => {
    // The focus stays in the popover, so that Enter works after a click that does nothing.
    if (event.target instanceof Element && event.target.matches('.introjs-overlay, .wp-guard')) event.preventDefault();
  };

  private readonly onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const choice = event.target.closest<HTMLElement>('[data-wp-choice]');
    if (choice) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.onCommand({ choose: Number(choice.dataset.wpChoice) });
      return;
    }
    for (const [selector, command] of BUTTONS) {
      const button = event.target.closest(selector);
      if (!button) continue;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.onCommand(command);
      return;
    }
    const overlay = event.target.closest('.introjs-overlay');
    const { view } = this;
    // Clicks of keys have no position.
    const isOutside = event.detail > 0 && view?.element && this.isPageUsable() && !this.isWaiting;
    const isInside = event.target.closest(DRAWN) ?? view?.element?.contains(event.target);
    if (overlay) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (!isOutside || isInside) return;
    // The visitor cannot have seen the step yet.
    if (performance.now() - this.shownAt >= PRESS_GUARD_MS) this.onCommand('overlay');
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    this.setKeyboard(true);
    const popover = this.popover ?? this.waitingPopover;
    const inPopover = event.target instanceof Node && popover?.contains(event.target);
    // An element of a usable page keeps its keys.
    const free = this.isPageUsable();
    if (free && !inPopover && event.target !== document.body) return;
    if (event.key === 'Escape') this.command(event, 'escape');
    else if (event.key === 'Tab') {
      if (!free) this.moveFocus(event);
    } else if ((event.key === 'Enter' || event.key === ' ') && inPopover) {
      event.preventDefault();
      (event.target as HTMLElement).click();
    } else if (isTyping(event.target)) return;
    else if (event.key === 'ArrowRight') this.command(event, 'next');
    else if (event.key === 'ArrowLeft') this.command(event, 'previous');
  };

  private command(event: KeyboardEvent, command: Command) {
    event.preventDefault();
    event.stopImmediatePropagation();
    this.onCommand(command);
  }

  private moveFocus(event: KeyboardEvent) {
    const inside = this.popover?.querySelectorAll<HTMLElement>('[role=button], a[href]') ?? [];
    const stops = [...this.usableElements(), ...inside];
    if (stops.length === 0) return;
    event.preventDefault();
    const at = stops.findIndex(stop => stop === document.activeElement);
    const to = event.shiftKey ? Math.max(at, 0) - 1 : at + 1;
    stops.at(to % stops.length)?.focus();
  }

  private readonly onMove = () => {
    const { element = null } = this.view ?? {};
    if (!element || hasBox(element)) this.tour?.refresh();
    this.placePopover();
    this.updateOverlay();
  };

  hide(): Promise<void> {
    this.stopWaiting();
    return this.removeDrawn();
  }

  private async removeDrawn(): Promise<void> {
    const drawn = await this.tearDown();
    // intro.js removes them with a delay.
    for (const element of drawn) element.remove();
  }

  async close(): Promise<void> {
    this.stopWaiting();
    this.hotspots.close();
    const drawn = await this.tearDown();
    setTimeout(() => {
      for (const element of drawn) element.remove();
      if (activeProperties !== this.properties) return;
      document.documentElement.removeAttribute('data-wp-keyboard');
      for (const name of Object.keys(this.properties)) document.documentElement.style.removeProperty(name);
    }, INTRO_EXIT_MS);
  }

  private async tearDown(): Promise<Element[]> {
    this.watcher.disconnect();
    this.unfollow?.();
    this.unfollow = null;
    this.stopListening();
    this.unwatchScheme();
    delete document.documentElement.dataset.wpStep;
    const { tour, popover } = this;
    if (!tour) return [];
    [this.tour, this.popover, this.view] = [null, null, null];
    this.guard.protectPage();
    const drawn = [...document.querySelectorAll('.introjs-tour, .introjsFloatingElement')];
    // The visitor may have moved the focus.
    const focusLost = document.activeElement === document.body || popover?.contains(document.activeElement);
    await tour.exit(true);
    if (focusLost && this.previouslyFocused instanceof HTMLElement && this.previouslyFocused.isConnected)
      this.previouslyFocused.focus();
    return drawn;
  }
}

export const introRenderer: RendererFactory = (steps, theme, onCommand, language = null) =>
  new IntroRenderer(steps, theme, onCommand, language);
