/** The look that the embed takes from a page. Its behavior is tested with the player, in both renderers. */
import { afterEach, expect, it } from 'vitest';
import { playStep, playTheme } from '../player/fixtures';
import type { StepView } from '../player/types';
import { embedRenderer } from './renderer';
import { textsOf } from './texts';

const { attachShadow } = Element.prototype;
let root: ShadowRoot | null = null;
Element.prototype.attachShadow = function (options) {
  return (root = attachShadow.call(this, options));
};
// happy-dom has no layout. The center of the only button is at 40.
document.elementsFromPoint = x => [(x === 40 && document.querySelector('main button')) || document.body];
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 80, 30);

afterEach(() => document.body.replaceChildren());

/** Returns the look of the tour on a page. */
async function lookOn(html: string, ...keys: string[]): Promise<(string | undefined)[]> {
  document.body.innerHTML = `<main>${html}</main>`;
  const steps = keys.map(key => playStep(key));
  const [step = playStep('a')] = steps;
  const renderer = embedRenderer(textsOf('en'))(steps, { ...playTheme, accentColor: null }, () => undefined);
  const view: StepView = {
    index: 0,
    step,
    element: null,
    back: false,
    next: true,
    last: true,
    choices: [],
    count: null,
  };
  await renderer.show(view);
  const style = root?.querySelector<HTMLElement>('.page')?.style;
  await renderer.close();
  return ['--wp-accent', '--wp-radius'].map(name => style?.getPropertyValue(name));
}

it('keeps its look on the next pages of a tour', async () => {
  const red = '<button style="background-color: rgb(200, 30, 30); border-radius: 2px">Buy</button>';
  const first = await lookOn(red, 'a', 'b');
  expect(first).toEqual(['rgb(200, 30, 30)', '2px']);
  expect(await lookOn('', 'a', 'b')).toEqual(first);
  expect(await lookOn('', 'c')).toEqual(['rgb(47, 91, 234)', '8px']);
  sessionStorage.setItem('waypost.look', 'null');
  expect(await lookOn('', 'a', 'b')).toEqual(['rgb(47, 91, 234)', '8px']);
});
