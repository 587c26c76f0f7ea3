// Draws hotspots (hints of intro.js). Unlike intro.js, beacons appear with their elements, follow them, work with the
// keyboard and are large enough (WCAG 2.2, 2.5.8). The popover is a dialog with the focus.

import { autoUpdate } from '@floating-ui/dom';
import introJs from 'intro.js';
import { markdownNodes } from '../../embed/player/markdown-nodes';
import { hasBox } from '../../embed/player/target';
import type { Command, HotspotView, PlayStep, Side } from '../../embed/player/types';
import { t } from '../shared/i18n/en/player';

const DRAW_TIMEOUT_MS = 1000;

type IntroHint = ReturnType<typeof introJs.hint>;
type Placement = 'top-right' | 'top-middle' | 'middle-right' | 'bottom-middle' | 'middle-left';

const PLACEMENTS: Record<Side, Placement> = {
  AUTO: 'top-right',
  TOP: 'top-middle',
  RIGHT: 'middle-right',
  BOTTOM: 'bottom-middle',
  LEFT: 'middle-left',
};

interface DrawnHotspot {
  view: HotspotView;
  hint: IntroHint;
  beacon: HTMLElement;
  unfollow: () => void;
}

export class IntroHotspots {
  private readonly drawn = new Map<number, DrawnHotspot>();
  private open: number | null = null;

  constructor(private readonly onCommand: (command: Command) => void) {}

  async show(view: HotspotView): Promise<void> {
    if (this.drawn.size === 0) {
      document.addEventListener('click', this.onClick, true);
      window.addEventListener('keydown', this.onKey, true);
    }
    const { step, element, index } = view;
    const hint = introJs.hint();
    hint.setOptions({
      hints: [
        {
          element: element as HTMLElement,
          hint: step.title,
          hintPosition: PLACEMENTS[step.side],
          hintAnimation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
        },
      ],
      hintShowButton: false,
      tooltipRenderAsHtml: false,
      hintAutoRefreshInterval: 0,
    });
    const before = new Set(document.querySelectorAll('.introjs-hint'));
    await hint.render();
    const beacon = [...document.querySelectorAll<HTMLElement>('.introjs-hint')].find(each => !before.has(each));
    if (!beacon) return;
    beacon.dataset.wpHotspot = String(index);
    beacon.dataset.wpPlace = PLACEMENTS[step.side];
    beacon.setAttribute('aria-label', t.hotspot(step.title));
    beacon.setAttribute('aria-haspopup', 'dialog');
    beacon.setAttribute('aria-expanded', 'false');
    this.drawn.set(index, { view, hint, beacon, unfollow: follow(element, hint) });
  }

  hide(index: number): void {
    const drawn = this.drawn.get(index);
    if (!drawn) return;
    const wasOpen = this.open === index;
    this.closePopover(false);
    this.drawn.delete(index);
    drawn.unfollow();
    drawn.hint.destroy();
    if (wasOpen) this.firstDrawn()?.beacon.focus();
    if (this.drawn.size > 0) return;
    document.removeEventListener('click', this.onClick, true);
    window.removeEventListener('keydown', this.onKey, true);
  }

  /** Returns false if there is no such hotspot. */
  replaceElement(index: number, element: Element): boolean {
    const drawn = this.drawn.get(index);
    if (!drawn) return false;
    drawn.view = { ...drawn.view, element };
    const item = drawn.hint.getHint(0);
    if (item) item.element = element as HTMLElement;
    drawn.unfollow();
    drawn.unfollow = follow(element, drawn.hint);
    return true;
  }

  close(): void {
    for (const index of this.drawn.keys()) this.hide(index);
  }

  private firstDrawn(): DrawnHotspot | undefined {
    return this.drawn.values().next().value;
  }

  private async toggle(index: number): Promise<void> {
    const drawn = this.drawn.get(index);
    const wasOpen = this.open === index;
    this.closePopover(wasOpen);
    if (!drawn || wasOpen) return;
    this.open = index;
    // intro.js does not notice that a popover was closed if it is opened again before the next update of the page.
    await waitFor(() => !findPopover());
    if (this.open !== index) return;
    // With more room. By default, intro.js would cover the beacon.
    const { top, bottom } = drawn.beacon.getBoundingClientRect();
    const item = drawn.hint.getHint(0);
    if (item) item.position = top + bottom > innerHeight ? 'top' : 'bottom';
    // intro.js measures it shortly after.
    const showing = drawn.hint.showHintDialog(0);
    await waitFor(() => findPopover() !== null);
    const popover = findPopover();
    if (!popover || this.open !== index) return;
    drawn.beacon.setAttribute('aria-expanded', 'true');
    makeDialog(popover, drawn.view.step, drawn.view.next);
    await showing;
    drawn.hint.refresh();
    const buttons = popover.querySelectorAll<HTMLElement>('button');
    buttons[buttons.length - 1]?.focus({ preventScroll: true });
    this.onCommand({ hotspot: index, does: 'open' });
  }

  private closePopover(toBeacon: boolean): void {
    const drawn = this.open === null ? undefined : this.drawn.get(this.open);
    this.open = null;
    if (!drawn) return;
    drawn.hint.hideHintDialog();
    // intro.js removes it with a delay.
    findPopover()?.closest<HTMLElement>('.introjs-hintReference')?.style.setProperty('display', 'none');
    drawn.beacon.setAttribute('aria-expanded', 'false');
    if (toBeacon) drawn.beacon.focus();
  }

  private readonly onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const beacon = event.target.closest<HTMLElement>('[data-wp-hotspot]');
    if (beacon) {
      consume(event);
      void this.toggle(Number(beacon.dataset.wpHotspot));
      return;
    }
    const popover = event.target.closest('.wp-hotspot-popover');
    if (!popover) {
      // A click outside belongs to the page.
      this.closePopover(false);
    } else if (event.target.closest('[data-wp-close]')) {
      consume(event);
      this.closePopover(true);
    } else if (event.target.closest('[data-wp-finish]') && this.open !== null) {
      consume(event);
      this.onCommand({ hotspot: this.open, does: 'finish' });
    }
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
    const beacon = event.target.closest<HTMLElement>('[data-wp-hotspot]');
    if (beacon && (event.key === 'Enter' || event.key === ' ')) {
      consume(event);
      void this.toggle(Number(beacon.dataset.wpHotspot));
    } else if (
      event.key === 'Escape' &&
      this.open !== null &&
      (beacon || event.target.closest('.wp-hotspot-popover'))
    ) {
      consume(event);
      this.closePopover(true);
    }
  };
}

function follow(element: Element, hint: IntroHint): () => void {
  return autoUpdate(element, null, () => {
    // The page may have removed the element to render it again.
    if (hasBox(element)) void hint.refresh();
  });
}

function findPopover(): HTMLElement | null {
  return document.querySelector('.introjs-hintReference .introjs-tooltip');
}

/** Resolves when `condition` holds, or after a second. intro.js changes the page asynchronously. */
function waitFor(condition: () => boolean): Promise<void> {
  if (condition()) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(() => condition() && done());
    const timer = setTimeout(done, DRAW_TIMEOUT_MS);
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

function consume(event: Event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function makeDialog(popover: HTMLElement, step: PlayStep, next: boolean) {
  const addClasses = () => {
    if (!popover.matches('.wp-hotspot-popover')) popover.classList.add('wp-popover', 'wp-hotspot-popover');
  };
  addClasses();
  // intro.js replaces them when it moves the popover.
  new MutationObserver(addClasses).observe(popover, { attributeFilter: ['class'] });
  popover.setAttribute('role', 'dialog');
  const title = document.createElement('h2');
  title.id = 'wp-hotspot-title';
  title.className = 'introjs-tooltip-title';
  title.textContent = step.title;
  const close = button('×', 'introjs-skipbutton', 'wpClose');
  close.setAttribute('aria-label', t.close);
  close.title = t.close;
  const header = document.createElement('div');
  header.className = 'introjs-tooltip-header';
  header.append(title, close);
  const text = document.createElement('div');
  text.id = 'wp-hotspot-text';
  text.className = 'introjs-tooltiptext wp-text';
  text.append(...markdownNodes(step.body));
  popover.setAttribute('aria-labelledby', title.id);
  popover.setAttribute('aria-describedby', text.id);
  popover.querySelector('.introjs-tooltiptext')?.remove();
  popover.append(header, text);
  if (!next) return;
  const buttons = document.createElement('div');
  buttons.className = 'introjs-tooltipbuttons';
  buttons.append(button(step.doneLabel ?? t.gotIt, 'introjs-button introjs-nextbutton', 'wpFinish'));
  popover.append(buttons);
}

function button(label: string, className: string, mark: 'wpClose' | 'wpFinish'): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = className;
  element.textContent = label;
  element.dataset[mark] = '';
  return element;
}
