// Draws a tour's steps with intro.js, which only this module and intro-hints.ts know. What it corrects there:
//
// - Text stays text: by default intro.js renders titles and bodies as HTML, scripts included. Bodies have a few marks of
//   their own (markdown.ts), drawn as nodes.
// - The theme's five numbers hold exactly: padding on each side (intro.js adds its number to both sides together), the
//   corner radius, the gap between stage and popover (fixed in intro.js), the overlay's colour and the animation.
// - An element out of sight is scrolled to where it can be seen; intro.js would hide it below what sticks to the top.
// - Steps get their element when they are shown, not when the tour starts, so late elements are found; the element itself
//   is never changed (intro.js would add classes to it).
// - Buttons and keys become commands; which step comes next is decided elsewhere.
// - The popover is a proper dialog: named, described, counter announced. Where it stands in the way of the page, the focus is
//   kept inside, with the highlighted element as long as that can be used; a pointer leaves the page alone. The focus is given
//   back to where it was.

import 'intro.js/introjs.css';
import './player.css';
import './markdown.css';
import { autoUpdate } from '@floating-ui/dom';
import introJs from 'intro.js';
import { t } from '../shared/i18n/en/player';
import { IntroHints } from './intro-hints';
import { plainText } from './markdown';
import { markdownNodes } from './markdown-nodes';
import type { Command, HintView, PlayStep, PlayTheme, Renderer, RendererFactory, Side, StepView } from './types';

type IntroTour = ReturnType<typeof introJs.tour>;

const POPOVER = '.introjs-tooltip.wp-popover';
const POSITIONS: Record<Side, 'top' | 'right' | 'bottom' | 'left'> = {
  AUTO: 'bottom',
  TOP: 'top',
  RIGHT: 'right',
  BOTTOM: 'bottom',
  LEFT: 'left',
};
const PRECEDENCE: Record<Side, Array<'top' | 'right' | 'bottom' | 'left'>> = {
  AUTO: ['bottom', 'top', 'right', 'left'],
  TOP: ['top', 'bottom', 'right', 'left'],
  RIGHT: ['right', 'left', 'bottom', 'top'],
  BOTTOM: ['bottom', 'top', 'right', 'left'],
  LEFT: ['left', 'right', 'bottom', 'top'],
};
const BUTTONS: ReadonlyArray<readonly [selector: string, command: Command]> = [
  ['.introjs-nextbutton', 'next'],
  ['.introjs-prevbutton', 'previous'],
  ['.introjs-skipbutton', 'close'],
  ['.introjs-overlay', 'overlay'],
];
/** intro.js removes its root this many milliseconds after the end, and forgets some of it. */
const INTRO_LEAVES_MS = 260;

function channels(hex: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Black or white, whichever stands out more from the colour (WCAG 2.2, relative luminance). */
export function readableOn(hex: string): '#000000' | '#ffffff' {
  const [red, green, blue] = channels(hex).map(channel => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

/** The custom properties that player.css draws with. */
export function themeProperties(theme: PlayTheme): Record<string, string> {
  const [red, green, blue] = channels(theme.overlayColor);
  const gap = 20 - 2 * theme.stagePadding;
  return {
    '--wp-overlay': `rgba(${red}, ${green}, ${blue}, ${theme.overlayOpacity})`,
    '--wp-stage-radius': `${theme.stageRadius}px`,
    '--wp-animation': `${theme.animationMs}ms`,
    '--wp-gap': `${gap}px`,
    '--wp-shift': `${theme.popoverOffset - gap}px`,
    '--wp-accent': theme.accentColor,
    '--wp-on-accent': readableOn(theme.accentColor),
    '--wp-popover-width': `${theme.popoverWidth}px`,
  };
}

/** Brings the element to where it can be seen whole, with room for the popover. */
function reveal(element: Element) {
  const { top, bottom, left, right, height } = element.getBoundingClientRect();
  const seen = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!seen) element.scrollIntoView({ block: height < innerHeight / 2 ? 'center' : 'start', inline: 'nearest' });
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** What of an element the keyboard can reach: itself, and what is inside. */
function focusable(element: Element): HTMLElement[] {
  const inside = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return element instanceof HTMLElement && element.matches(FOCUSABLE) ? [element, ...inside] : inside;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The theme that the page wears: the next tour may begin before the last one has left. */
let worn: Readonly<Record<string, string>> | null = null;

class IntroRenderer implements Renderer {
  private tour: IntroTour | null = null;
  private popover: HTMLElement | null = null;
  private view: StepView | null = null;
  /** Lets what is drawn no longer follow the element. */
  private unfollow: (() => void) | null = null;
  private readonly hints: IntroHints;
  private readonly opener = document.activeElement;
  private readonly properties: Record<string, string>;
  private readonly watcher = new MutationObserver(() => this.adopt());

  constructor(
    private readonly steps: readonly PlayStep[],
    private readonly theme: PlayTheme,
    private readonly onCommand: (command: Command) => void,
  ) {
    this.properties = themeProperties(theme);
    this.hints = new IntroHints(onCommand);
  }

  async show(view: StepView): Promise<void> {
    this.dress();
    const { kind, blockPage } = view.step;
    // A pointer has no place in the middle of the page: there it is a popover like any other.
    const free = kind === 'POINTER' && view.element !== null;
    document.documentElement.dataset.wpStep = `${free ? 'pointer' : 'dialog'}${blockPage ? ' blocks' : ''}`;
    if (this.tour) {
      this.place(this.tour, view);
      // Not goToStep: it counts from where it is before its own first move has happened, and cannot reach the first step.
      await this.tour.setCurrentStep(view.index);
    } else {
      await this.open(view);
    }
    this.adopt();
  }

  async showHint(view: HintView): Promise<void> {
    this.dress();
    await this.hints.show(view);
  }

  hideHint(index: number): void {
    this.hints.hide(index);
  }

  /** Sets what player.css draws with. */
  private dress() {
    worn = this.properties;
    for (const [name, value] of Object.entries(this.properties)) {
      document.documentElement.style.setProperty(name, value);
    }
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
    // At this moment the steps exist and nothing is drawn yet: the first to be shown is chosen here, whatever its number.
    tour.onAfterChange(async () => {
      if (this.tour) return;
      this.tour = tour;
      this.place(tour, view);
      await tour.setCurrentStep(view.index);
    });
    this.watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('click', this.onClick, true);
    window.addEventListener('keydown', this.onKey, true);
    window.addEventListener('scroll', this.onMove, { capture: true, passive: true });
    window.addEventListener('resize', this.onMove, { passive: true });
    await tour.start();
  }

  /** Gives the step its element and its words just before it is drawn. */
  private place(tour: IntroTour, view: StepView) {
    this.view = view;
    const { index, step, element } = view;
    const drawn = tour.getStep(index);
    if (element) {
      reveal(element);
      drawn.element = element;
      drawn.position = POSITIONS[step.side];
    } else {
      drawn.element = tour.appendFloatingElement();
      drawn.position = 'floating';
    }
    tour.setOption('positionPrecedence', PRECEDENCE[step.side]);
    // Whether the tour ends here is decided elsewhere; intro.js goes by the number of the step.
    const label = view.last ? (step.doneLabel ?? t.done) : (step.nextLabel ?? t.next);
    tour.setOption('nextLabel', label);
    tour.setOption('doneLabel', label);
    tour.setOption('prevLabel', step.backLabel ?? t.previous);
  }

  /** Makes a dialog of the popover that intro.js has just drawn. */
  private adopt() {
    const popover = document.querySelector<HTMLElement>(POPOVER);
    const { view } = this;
    if (!popover || !view || popover === this.popover) return;
    this.popover = popover;
    popover.setAttribute('aria-modal', String(!this.isFree() && this.usable().length === 0));
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
    const count = popover.querySelector('.introjs-helperNumberLayer');
    count?.setAttribute('role', 'status');
    if (count) count.textContent = view.count ? t.count(view.count.at, view.count.of) : '';
    const close = popover.querySelector('.introjs-skipbutton');
    close?.setAttribute('aria-label', t.close);
    close?.setAttribute('title', t.close);
    popover.querySelector('.introjs-prevbutton')?.classList.toggle('introjs-disabled', !view.back);
    if (!view.next) popover.querySelector('.introjs-nextbutton')?.remove();
    this.addChoices(popover, view);
    for (const button of popover.querySelectorAll<HTMLElement>('[role=button]')) {
      const disabled = button.classList.contains('introjs-disabled');
      button.setAttribute('aria-disabled', String(disabled));
      button.tabIndex = disabled ? -1 : 0;
    }
    // Somebody who is typing in the page that they may use goes on typing.
    if (!(this.isFree() && isTyping(document.activeElement))) {
      const first = popover.querySelector<HTMLElement>('[data-wp-choice], .introjs-nextbutton');
      // Its place is found below; the page must not scroll to where it is before.
      (first ?? popover.querySelector<HTMLElement>('.introjs-skipbutton'))?.focus({ preventScroll: true });
    }
    // With its marks drawn, the text may be taller than it was when intro.js found its place.
    this.onMove();
    // Scrolling and resizing are heard above.
    this.unfollow?.();
    this.unfollow =
      view.element && autoUpdate(view.element, null, this.onMove, { ancestorScroll: false, ancestorResize: false });
  }

  /** The buttons of the branches, where Next would be. */
  private addChoices(popover: HTMLElement, { choices }: StepView) {
    const buttons = popover.querySelector('.introjs-tooltipbuttons');
    if (choices.length > 0) buttons?.classList.add('wp-choices');
    for (const [index, { label }] of choices.entries()) {
      const button = document.createElement('a');
      button.className = 'introjs-button';
      button.setAttribute('role', 'button');
      button.dataset.wpChoice = String(index);
      button.textContent = label;
      buttons?.append(button);
    }
  }

  /** Whether the page can be used beside the popover. */
  private isFree(): boolean {
    return this.view?.step.kind === 'POINTER' && this.view.element !== null && !this.view.step.blockPage;
  }

  /** What of the highlighted element can be used while the rest of the page cannot. */
  private usable(): HTMLElement[] {
    const { element = null, step } = this.view ?? {};
    return element && step?.kind === 'SPOTLIGHT' && !step.blockPage ? focusable(element) : [];
  }

  /** Opens the overlay over the element, so that it can be used without raising it above the page. */
  private follow() {
    const overlay = document.querySelector<HTMLElement>('.introjs-overlay');
    if (!overlay) return;
    const rect = this.view?.element?.getBoundingClientRect();
    const low = rect !== undefined && rect.top + rect.bottom > innerHeight;
    this.popover?.setAttribute('data-wp-sheet', low ? 'top' : 'bottom');
    if (!rect || this.view?.step.blockPage) {
      overlay.style.clipPath = '';
      return;
    }
    const padding = this.theme.stagePadding;
    const [left, top] = [rect.left - padding, rect.top - padding];
    const [right, bottom] = [rect.right + padding, rect.bottom + padding];
    overlay.style.clipPath = `path(evenodd, "M0 0H${innerWidth}V${innerHeight}H0Z M${left} ${top}H${right}V${bottom}H${left}Z")`;
  }

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
      if (button.getAttribute('aria-disabled') !== 'true') this.onCommand(command);
      return;
    }
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inPopover = event.target instanceof Node && this.popover?.contains(event.target);
    // The keys of a page that can be used are its own, unless nothing of it has the focus.
    const free = this.isFree();
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
    const inside = [...(this.popover?.querySelectorAll<HTMLElement>('[role=button], a[href]') ?? [])];
    const stops = [...this.usable(), ...inside.filter(stop => stop.tabIndex === 0)];
    if (stops.length === 0) return;
    event.preventDefault();
    const at = stops.findIndex(stop => stop === document.activeElement);
    const to = (at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length;
    stops[to]?.focus();
  }

  private readonly onMove = () => {
    this.tour?.refresh();
    this.follow();
  };

  async hide(): Promise<void> {
    const drawn = await this.leave();
    // At once: the next step may be shown before intro.js would have removed it.
    for (const element of drawn) element.remove();
  }

  async close(): Promise<void> {
    this.hints.close();
    const drawn = await this.leave();
    setTimeout(() => {
      for (const element of drawn) element.remove();
      if (worn !== this.properties) return;
      for (const name of Object.keys(this.properties)) document.documentElement.style.removeProperty(name);
    }, INTRO_LEAVES_MS);
  }

  /** Lets the page go, and answers with what intro.js leaves behind for a moment. */
  private async leave(): Promise<Element[]> {
    this.watcher.disconnect();
    this.unfollow?.();
    this.unfollow = null;
    document.removeEventListener('click', this.onClick, true);
    window.removeEventListener('keydown', this.onKey, true);
    window.removeEventListener('scroll', this.onMove, true);
    window.removeEventListener('resize', this.onMove);
    delete document.documentElement.dataset.wpStep;
    const { tour, popover } = this;
    if (!tour) return [];
    [this.tour, this.popover, this.view] = [null, null, null];
    const drawn = [...document.querySelectorAll('.introjs-tour, .introjsFloatingElement')];
    // Whoever uses the page meanwhile keeps their place there.
    const lost = document.activeElement === document.body || popover?.contains(document.activeElement);
    await tour.exit(true);
    if (lost && this.opener instanceof HTMLElement && this.opener.isConnected) this.opener.focus();
    return drawn;
  }
}

export const introRenderer: RendererFactory = (steps, theme, onCommand) => new IntroRenderer(steps, theme, onCommand);
