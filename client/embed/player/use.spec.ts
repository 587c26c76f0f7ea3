import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onUseOf } from './use';

let watch = new AbortController();
beforeEach(() => {
  watch = new AbortController();
});
afterEach(() => {
  watch.abort();
  document.body.replaceChildren();
});

/** Returns the number of uses of `#target` after each event. */
async function usesOf(html: string, ...events: readonly (() => unknown)[]): Promise<number[]> {
  document.body.innerHTML = html;
  const listener = vi.fn<() => void>();
  onUseOf(element('#target'), listener, watch.signal);
  const counts: number[] = [];
  for (const event of events) {
    event();
    // oxlint-disable-next-line no-await-in-loop -- the page has to receive one event after the other
    await new Promise(resolve => setTimeout(resolve));
    counts.push(listener.mock.calls.length);
  }
  return counts;
}

function element(selector: string): Element {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`The page has no element ${selector}.`);
  return found;
}

const bubbling = { bubbles: true, composed: true, cancelable: true };
const down = (key: string, on = '#target') =>
  element(on).dispatchEvent(new KeyboardEvent('keydown', { key, ...bubbling }));
const up = (key: string, on = '#target') => element(on).dispatchEvent(new KeyboardEvent('keyup', { key, ...bubbling }));
const press = (key: string, on?: string) => [() => down(key, on), () => up(key, on)];
const pointer = (type: string, on = '#target', pointerType = 'mouse') =>
  element(on).dispatchEvent(new PointerEvent(type, { button: 0, pointerType, ...bubbling }));
const expand = (on = '#target') => element(on).setAttribute('aria-expanded', 'true');

it('is a click on the element or in it', async () => {
  const click = () => element('i').dispatchEvent(new MouseEvent('click', { detail: 1, ...bubbling }));
  expect(await usesOf('<button id="target"><i></i></button>', click)).toEqual([1]);
});

it('is a key that the page handles instead of a click, after it was released', async () => {
  for (const key of ['Enter', ' ']) {
    const stop = (event: Event) => event.preventDefault();
    document.body.addEventListener('keydown', stop);
    expect(await usesOf('<button id="target"></button>', ...press(key))).toEqual([0, 1]);
    document.body.removeEventListener('keydown', stop);
    watch.abort();
    watch = new AbortController();
    // The browser dispatches a click.
    expect(await usesOf('<button id="target"></button>', ...press(key))).toEqual([0, 0]);
  }
});

it('is a key or a press that opens the element', async () => {
  const button = '<button id="target" aria-expanded="false"></button><p id="menu"></p>';
  // The menu has the focus when the key is released.
  expect(
    await usesOf(
      button,
      () => down('ArrowDown'),
      expand,
      () => up('ArrowDown', '#menu'),
    ),
  ).toEqual([0, 0, 1]);
  const opens = [() => pointer('pointerdown'), expand, () => pointer('pointerup', '#menu')];
  expect(await usesOf(button, ...opens)).toEqual([0, 0, 1]);
});

it('is no movement of the focus, no other key and no change of the page', async () => {
  const button = '<button id="target" aria-expanded="false"></button><a href="#a" id="other"></a>';
  const focus = () => (element('#target') as HTMLElement).focus();
  const keys = ['Tab', 'Shift', 'Escape', 'ArrowDown', 'a'].flatMap(key => press(key));
  const moves = [...press('Tab', '#other'), focus, ...keys, ...press('Enter', '#other'), expand];
  expect(Math.max(...(await usesOf(button, ...moves)))).toBe(0);
  const aside = [() => pointer('pointerdown', '#other'), expand, () => pointer('pointerup', '#other')];
  expect(Math.max(...(await usesOf(button, ...aside)))).toBe(0);
});

it('is Enter on an item without a click, and a press of the mouse on it', async () => {
  const item = '<ul><li id="target" role="option" tabindex="-1"></li></ul>';
  expect(await usesOf(item, ...press('ArrowDown'), ...press('Enter'))).toEqual([0, 0, 0, 1]);
  const presses = [() => pointer('pointerdown'), () => pointer('pointerup')];
  expect(await usesOf(item, ...presses)).toEqual([0, 1]);
  // The click of a finger follows later.
  const touches = [() => pointer('pointerdown', '#target', 'touch'), () => pointer('pointerup', '#target', 'touch')];
  expect(await usesOf(item, ...touches)).toEqual([0, 0]);
});

it('is a key on the button around an icon, on the item around a text, and on the field of an option', async () => {
  const clickButton = () => element('button').dispatchEvent(new MouseEvent('click', { detail: 0, ...bubbling }));
  expect(await usesOf('<button><i id="target"></i></button>', clickButton)).toEqual([1]);
  const item = '<ul><li role="menuitem" tabindex="-1"><i id="target"></i></li></ul>';
  expect(await usesOf(item, ...press('Enter', 'li'))).toEqual([0, 1]);
  const list = '<input role="combobox" aria-expanded="true"><p id="target"></p>';
  expect(await usesOf(list, ...press('ArrowDown', 'input'), ...press(' ', 'input'))).toEqual([0, 0, 0, 0]);
  expect(await usesOf(list, ...press('Enter', 'input'))).toEqual([0, 1]);
});

it('is Enter, Space or the down arrow in a field, which no click follows', async () => {
  for (const key of ['Enter', ' ', 'ArrowDown']) {
    expect(await usesOf('<input id="target">', ...press('a'), ...press(key))).toEqual([0, 0, 0, 1]);
    watch.abort();
    watch = new AbortController();
  }
});
