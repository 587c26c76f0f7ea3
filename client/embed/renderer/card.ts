// The popover of a step or of a hotspot: a dialog with a title, a text and buttons.

import { markdownNodes } from '../player/markdown-nodes';
import type { PlayStep } from '../player/types';
import type { RendererTexts } from './texts';

export interface CardButton {
  label: string;
  look: 'primary' | 'secondary' | 'quiet';
  press: () => void;
}

export interface Card {
  element: HTMLElement;
  /** The buttons of the card, except the one that closes it. */
  buttons: readonly HTMLButtonElement[];
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

export function createButton(label: string, className: string, press: () => void): HTMLButtonElement {
  const button = create('button', className, label);
  button.type = 'button';
  button.addEventListener('click', press);
  return button;
}

function closeButton(texts: RendererTexts, onClose: () => void): HTMLButtonElement {
  const close = createButton('×', 'close', onClose);
  close.ariaLabel = close.title = texts.close;
  return close;
}

export function createCard(
  step: PlayStep,
  count: string,
  buttons: readonly CardButton[],
  texts: RendererTexts,
  onClose: () => void,
): Card {
  const title = create('h2', '', step.title);
  title.id = 'title';
  const text = create('div', 'wp-text', ...markdownNodes(step.body));
  text.id = 'text';
  const made = buttons.map(({ label, look, press }) => createButton(label, look, press));
  const content = create('div', 'content', create('div', 'header', title, closeButton(texts, onClose)), text);
  if (count !== '' || made.length > 0) {
    // More than one branch: a list, because the labels of a row would wrap raggedly.
    const isList = buttons.some(({ look }) => look === 'secondary');
    content.append(create('div', isList ? 'footer list' : 'footer', create('span', 'count', count), ...made));
  }
  const element = create('div', 'card', create('div', 'arrow'), content);
  element.role = 'dialog';
  element.tabIndex = -1;
  element.setAttribute('aria-labelledby', title.id);
  element.setAttribute('aria-describedby', text.id);
  return { element, buttons: made };
}

/** While the tour waits for an element, and the visitor uses the page. */
export function createWaitingCard(texts: RendererTexts, onClose: () => void): Card {
  const waiting = create('span', 'count', texts.waiting);
  return { element: create('div', 'card waiting', waiting, closeButton(texts, onClose)), buttons: [] };
}
