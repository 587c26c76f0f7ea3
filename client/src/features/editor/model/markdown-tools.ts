import type { t } from '../../../shared/i18n/en/editor';
import { addLink, toggleList, toggleFormatting, type TextSelection } from '../../../shared/lib/text-edit';
import type { IconName } from '../../../shared/ui/Icon';

export interface Tool {
  readonly name: keyof typeof t.tools;
  readonly icon: IconName;
  readonly keys: string;
  /** Null for the image, whose address is needed first. */
  readonly apply: ((at: TextSelection) => TextSelection) | null;
}

export const tools: readonly Tool[] = [
  { name: 'bold', icon: 'bold', keys: 'mod+b', apply: at => toggleFormatting(at, '**') },
  { name: 'italic', icon: 'italic', keys: 'mod+i', apply: at => toggleFormatting(at, '*') },
  { name: 'code', icon: 'code', keys: 'mod+e', apply: at => toggleFormatting(at, '`') },
  { name: 'link', icon: 'link', keys: 'mod+shift+k', apply: addLink },
  { name: 'image', icon: 'image', keys: 'mod+shift+g', apply: null },
  { name: 'list', icon: 'list', keys: 'mod+shift+l', apply: at => toggleList(at, 'bullets') },
  { name: 'numbers', icon: 'numbers', keys: 'mod+shift+o', apply: at => toggleList(at, 'numbers') },
];
