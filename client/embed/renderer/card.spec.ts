import { expect, it } from 'vitest';
import { playStep } from '../player/fixtures';
import { createCard } from './card';
import { HOSTILE_TEXTS } from './hostile-texts';
import { textsOf } from './texts';

const TAGS = new Set('div h2 p ul ol li br strong em code a img span button'.split(' '));
const ATTRIBUTES = new Set(
  'class id role tabindex title alt src href target rel type start referrerpolicy aria-label aria-labelledby aria-describedby'.split(
    ' ',
  ),
);

it('creates only elements of Markdown from hostile texts, with links and images of the web', () => {
  expect(new Set(HOSTILE_TEXTS).size).toBe(200);
  for (const text of HOSTILE_TEXTS) {
    const step = playStep('hostile', { title: text, body: text });
    const { element } = createCard(step, text, [{ label: text, look: 'primary', press() {} }], textsOf('en'), () => {});
    expect(element.querySelector('h2')?.textContent).toBe(text);
    expect(element.querySelector('.primary')?.textContent).toBe(text);
    const all = [...element.querySelectorAll('*')];
    const names = all.flatMap(each => each.getAttributeNames());
    const addresses = all.flatMap(each => each.getAttribute('href') ?? each.getAttribute('src') ?? []);
    expect(all.filter(({ localName }) => !TAGS.has(localName))).toEqual([]);
    expect(names.filter(name => !ATTRIBUTES.has(name))).toEqual([]);
    expect(addresses.filter(address => !/^(https?:\/\/|mailto:)/.test(address))).toEqual([]);
  }
});
