import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTarget, followTarget, selectorOf, waitForTarget } from './target';

const search = { by: 'DATA_TOUR', value: 'search' } as const;

/** jsdom has no layout, so an element with `data-drawn` counts as visible. */
function add(id: string, drawn = true): HTMLElement {
  const element = document.createElement('p');
  element.id = id;
  element.dataset['tour'] = 'search';
  if (drawn) element.dataset['drawn'] = '';
  document.body.append(element);
  return element;
}

const watched = (element: Element, mustBeUsable = false) => {
  vi.useFakeTimers();
  const [gone, replaced] = [vi.fn(), vi.fn()];
  const watching = new AbortController();
  followTarget(document.body, search, element, { mustBeUsable, gone, replaced }, watching.signal);
  return { gone, replaced, watching };
};

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function rects(this: Element) {
    return (this instanceof HTMLElement && 'drawn' in this.dataset ? [{}] : []) as unknown as DOMRectList;
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('findTarget and waitForTarget', () => {
  it('find the first visible element', () => {
    add('hidden', false);
    add('shown');
    add('later');
    expect(findTarget(document, search)?.id).toBe('shown');
  });

  it('find elements in open shadow roots', async () => {
    const inShadow = () => {
      const shadow = document.body.appendChild(document.createElement('my-search')).attachShadow({ mode: 'open' });
      return shadow.appendChild(add('shadow'));
    };
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal);
    const element = inShadow();
    expect(await found).toBe(element);
    const { gone } = watched(element);
    await vi.advanceTimersByTimeAsync(3000);
    expect(gone).not.toHaveBeenCalled();
    element.remove();
    await vi.advanceTimersByTimeAsync(3000);
    expect(gone).toHaveBeenCalledOnce();
  });

  it('find no element if the selector is invalid', () => {
    add('shown');
    expect(findTarget(document, { by: 'SELECTOR', value: 'div[[bad' })).toBeNull();
  });

  it('escape names that are special in CSS', () => {
    expect(selectorOf({ by: 'DATA_TOUR', value: 'a"]b' })).toBe(String.raw`[data-tour="a\"\]b"]`);
  });

  it('wait until the element is in the document', async () => {
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal);
    add('late');
    expect((await found)?.id).toBe('late');
  });

  it('wait until the element is visible', async () => {
    const element = add('late', false);
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal);
    element.dataset['drawn'] = '';
    expect((await found)?.id).toBe('late');
  });

  it('wait until an element that must be usable is not inert', async () => {
    const element = add('shown');
    const box = document.body.appendChild(document.createElement('div'));
    box.append(element);
    box.setAttribute('inert', '');
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal, true);
    expect(findTarget(document, search)).toBe(element);
    expect(findTarget(document, search, { mustBeUsable: true })).toBeNull();
    box.removeAttribute('inert');
    expect((await found)?.id).toBe('shown');
  });

  it('give up after the timeout', async () => {
    vi.useFakeTimers();
    const found = waitForTarget(document.body, search, 8000, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(8000);
    expect(await found).toBeNull();
  });

  it('give up when the signal aborts', async () => {
    const controller = new AbortController();
    const found = waitForTarget(document.body, search, 10_000, controller.signal);
    controller.abort();
    expect(await found).toBeNull();
  });
});

describe('followTarget', () => {
  it.each([
    ['removed', (element: HTMLElement) => element.remove()],
    ['hidden', (element: HTMLElement) => element.removeAttribute('data-drawn')],
  ])('reports that the element was %s for 0.3 seconds', async (_, take) => {
    const element = add('shown');
    const { gone } = watched(element);
    take(element);
    await vi.advanceTimersByTimeAsync(299);
    expect(gone).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3000);
    expect(gone).toHaveBeenCalledOnce();
  });

  it('does not report an element that reappears, or after the signal has aborted', async () => {
    const element = add('shown');
    const { gone, watching } = watched(element);
    element.remove();
    await vi.advanceTimersByTimeAsync(200);
    document.body.append(element);
    await vi.advanceTimersByTimeAsync(3000);
    element.remove();
    watching.abort();
    await vi.advanceTimersByTimeAsync(3000);
    expect(gone).not.toHaveBeenCalled();
  });

  it('finds each replacement before the browser draws', async () => {
    const { gone, replaced } = watched(add('first'));
    for (const id of ['second', 'third']) {
      document.querySelector('[data-tour]')?.remove();
      const next = add(id);
      // Mutations are reported in a microtask.
      await Promise.resolve();
      expect(replaced).toHaveBeenLastCalledWith(next);
    }
    await vi.advanceTimersByTimeAsync(3000);
    expect(gone).not.toHaveBeenCalled();
  });

  it('finds a replacement in the same shadow root', async () => {
    const shadow = document.body.appendChild(document.createElement('my-search')).attachShadow({ mode: 'open' });
    const { replaced } = watched(shadow.appendChild(add('first')));
    const next = add('second');
    shadow.replaceChildren(next);
    await Promise.resolve();
    expect(replaced).toHaveBeenCalledExactlyOnceWith(next);
  });

  it('reports an inert element only if it must be usable', async () => {
    const element = add('shown');
    const [seen, used] = [watched(element), watched(element, true)];
    document.body.toggleAttribute('inert', true);
    await vi.advanceTimersByTimeAsync(3000);
    document.body.removeAttribute('inert');
    expect(seen.gone).not.toHaveBeenCalled();
    expect(used.gone).toHaveBeenCalledOnce();
  });
});
