import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTarget, selectorOf, waitForTarget, watchGone } from './target';

const search = { by: 'DATA_TOUR', value: 'search' } as const;

/** Adds an element; the tests' page draws nothing, so what has `data-drawn` counts as drawn. */
function add(id: string, drawn = true): HTMLElement {
  const element = document.createElement('p');
  element.id = id;
  element.dataset['tour'] = 'search';
  if (drawn) element.dataset['drawn'] = '';
  document.body.append(element);
  return element;
}

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function rects(this: Element) {
    return (this instanceof HTMLElement && 'drawn' in this.dataset ? [{}] : []) as unknown as DOMRectList;
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('the element of a step', () => {
  it('is the first that can be seen', () => {
    add('hidden', false);
    add('shown');
    add('later');
    expect(findTarget(document, search)?.id).toBe('shown');
  });

  it('is none where the browser cannot read the selector', () => {
    add('shown');
    expect(findTarget(document, { by: 'SELECTOR', value: 'div[[bad' })).toBeNull();
  });

  it('may have a name that CSS would read otherwise', () => {
    expect(selectorOf({ by: 'DATA_TOUR', value: 'a"]b' })).toBe(String.raw`[data-tour="a\"\]b"]`);
  });

  it('is waited for until it is there', async () => {
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal);
    add('late');
    expect((await found)?.id).toBe('late');
  });

  it('is waited for until it can be seen', async () => {
    const element = add('late', false);
    const found = waitForTarget(document.body, search, 10_000, new AbortController().signal);
    element.dataset['drawn'] = '';
    expect((await found)?.id).toBe('late');
  });

  it('is given up when its time is over', async () => {
    vi.useFakeTimers();
    const found = waitForTarget(document.body, search, 8000, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(8000);
    expect(await found).toBeNull();
  });

  it('is given up when somebody goes elsewhere', async () => {
    const turn = new AbortController();
    const found = waitForTarget(document.body, search, 10_000, turn.signal);
    turn.abort();
    expect(await found).toBeNull();
  });
});

describe('an element that is shown', () => {
  const watched = (element: Element) => {
    vi.useFakeTimers();
    const gone = vi.fn();
    const watching = new AbortController();
    watchGone(document.body, element, gone, watching.signal);
    return { gone, watching };
  };

  it.each([
    ['removed', (element: HTMLElement) => element.remove()],
    ['hidden', (element: HTMLElement) => element.removeAttribute('data-drawn')],
  ])('has gone once it was %s for a moment', async (_, take) => {
    const element = add('shown');
    const { gone } = watched(element);
    take(element);
    await vi.advanceTimersByTimeAsync(499);
    expect(gone).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(gone).toHaveBeenCalledOnce();
  });

  it('has not gone where it is back at once, or nobody watches any more', async () => {
    const element = add('shown');
    const { gone, watching } = watched(element);
    element.remove();
    await vi.advanceTimersByTimeAsync(400);
    document.body.append(element);
    await vi.advanceTimersByTimeAsync(2000);
    element.remove();
    watching.abort();
    await vi.advanceTimersByTimeAsync(2000);
    expect(gone).not.toHaveBeenCalled();
  });
});
