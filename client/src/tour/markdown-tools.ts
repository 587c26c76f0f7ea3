/** The marks of a text, each with its button and its keys. */
import { addLink, toggleList, toggleMark, type Selected } from '../lib/text-edit';
import type { IconName } from '../ui/Icon';

export interface Tool {
  readonly name: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly apply: (at: Selected) => Selected;
}

export const tools: readonly Tool[] = [
  { name: 'Bold', icon: 'bold', keys: 'mod+b', apply: at => toggleMark(at, '**') },
  { name: 'Italic', icon: 'italic', keys: 'mod+i', apply: at => toggleMark(at, '*') },
  { name: 'Code', icon: 'code', keys: 'mod+e', apply: at => toggleMark(at, '`') },
  { name: 'Link', icon: 'link', keys: 'mod+shift+k', apply: addLink },
  { name: 'List', icon: 'list', keys: 'mod+shift+l', apply: at => toggleList(at, 'bullets') },
  { name: 'Numbered list', icon: 'numbers', keys: 'mod+shift+o', apply: at => toggleList(at, 'numbers') },
];
