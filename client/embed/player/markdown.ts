/**
 * Paragraphs, lists, one image, strong and emphasized text, code and links. The rest is plain text. The result is a
 * tree, never HTML.
 */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'numbered'; readonly start: number; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'image'; readonly src: string; readonly alt: string };

const BULLET = /^ {0,3}[-*] +(.*)$/;
const IMAGE = /^ {0,3}!\[([^[\]]*)\]\(([^()\s]*)\) *$/;
const NUMBER = /^ {0,3}(\d{1,9})[.)] +(.*)$/;

/**
 * An empty line ends a block, a list item starts a list, and only the first line that consists of an image becomes an
 * image.
 */
export function parseMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let items: Inline[][] = [];
  let list: 'list' | { start: number } | null = null;

  /** Ends the open paragraph or list. */
  const end = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', content: parseInline(lines.join('\n')) });
    if (list === 'list') blocks.push({ kind: 'list', items });
    else if (list) blocks.push({ kind: 'numbered', start: list.start, items });
    list = null;
    lines = [];
    items = [];
  };
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const bullet = BULLET.exec(line);
    const number = NUMBER.exec(line);
    const image = blocks.some(({ kind }) => kind === 'image') ? null : imageOf(line);
    if (image) {
      end();
      blocks.push(image);
    } else if (bullet) {
      if (list !== 'list') end();
      list = 'list';
      items.push(parseInline(bullet[1] ?? ''));
    } else if (number) {
      if (list === 'list' || lines.length > 0) end();
      list ??= { start: Number(number[1]) };
      items.push(parseInline(number[2] ?? ''));
    } else {
      const isEmpty = line.trim() === '';
      if (list || isEmpty) end();
      if (!isEmpty) lines.push(line);
    }
  }
  end();
  return blocks;
}

export function plainText(text: string): string {
  return parseMarkdown(text)
    .map(block => {
      if (block.kind === 'image') return block.alt;
      return block.kind === 'paragraph' ? plain(block.content) : block.items.map(plain).join('\n');
    })
    .join('\n\n');
}

function plain(content: readonly Inline[]): string {
  return content
    .map(each => {
      switch (each.kind) {
        case 'break':
          return '\n';
        case 'text':
        case 'code':
          return each.text;
        default:
          return plain(each.content);
      }
    })
    .join('');
}

/** Needs https, so that it cannot be modified, and an alternative text. */
function imageOf(line: string): Block | null {
  const [, words = '', address = ''] = IMAGE.exec(line) ?? [];
  const alt = words.trim();
  const src = alt && safeAddress(address, /^https:/);
  return src ? { kind: 'image', src, alt } : null;
}

/** Returns the normalized address, or null. The text of a rejected link remains plain text. */
export const safeHref = (address: string): string | null => safeAddress(address, /^(https?|mailto):/);

function safeAddress(address: string, allowed: RegExp): string | null {
  const href = URL.canParse(address) ? new URL(address).href : '';
  return allowed.test(href) ? href : null;
}

/** Deeper levels of formatting are plain text. */
const MAX_DEPTH = 8;

function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let kept = '';
  const keep = (more: string) => (kept += more);
  const add = (inline: Inline) => {
    if (kept !== '') found.push({ kind: 'text', text: kept });
    kept = '';
    found.push(inline);
  };
  for (let at = 0; at < text.length;) {
    const mark = depth < MAX_DEPTH ? markAt(text, at, depth) : null;
    if (mark) {
      add(mark.inline);
      at = mark.end;
    } else if (text[at] === '\n') {
      add({ kind: 'break' });
      at += 1;
    } else if (text[at] === '\\' && /[\\*_`[\]()]/.test(text[at + 1] ?? '')) {
      keep(text[at + 1] ?? '');
      at += 2;
    } else {
      keep(text[at] ?? '');
      at += 1;
    }
  }
  if (kept !== '') found.push({ kind: 'text', text: kept });
  return found;
}

interface Mark {
  readonly inline: Inline;
  /** Index after the last character. */
  readonly end: number;
}

function markAt(text: string, at: number, depth: number): Mark | null {
  switch (text[at]) {
    case '`':
      return codeAt(text, at);
    case '[':
      return linkAt(text, at, depth);
    case '*':
    case '_':
      return spanAt(text, at, depth);
    default:
      return null;
  }
}

function codeAt(text: string, at: number): Mark | null {
  const close = text.indexOf('`', at + 1);
  const code = text.slice(at + 1, close);
  if (close < 0 || code.trim() === '' || code.includes('\n')) return null;
  return { inline: { kind: 'code', text: code }, end: close + 1 };
}

function linkAt(text: string, at: number, depth: number): Mark | null {
  const middle = text.indexOf('](', at);
  const close = text.indexOf(')', middle);
  if (middle < 0 || close < 0) return null;
  const words = text.slice(at + 1, middle);
  const href = safeHref(text.slice(middle + 2, close).trim());
  if (href === null || words.trim() === '' || words.includes('[') || words.includes('\n')) return null;
  return { inline: { kind: 'link', href, content: parseInline(words, depth + 1) }, end: close + 1 };
}

/** The content neither begins nor ends with a space. */
function spanAt(text: string, at: number, depth: number): Mark | null {
  const one = text[at] ?? '';
  const mark = text[at + 1] === one && one === '*' ? '**' : one;
  const inside = at + mark.length;
  // Part of a name: `order_total`.
  if (one === '_' && isWord(text[at - 1])) return null;
  if (isSpace(text[inside]) || text[inside] === one) return null;
  for (let close = text.indexOf(mark, inside + 1); close > 0; close = text.indexOf(mark, close + 1)) {
    const end = close + mark.length;
    const ends =
      !isSpace(text[close - 1]) &&
      text[close - 1] !== '\\' &&
      !(mark.length === 1 && (text[end] === one || text[close - 1] === one)) &&
      !(one === '_' && isWord(text[end]));
    if (!ends) continue;
    const content = parseInline(text.slice(inside, close), depth + 1);
    return { inline: { kind: mark === '**' ? 'strong' : 'emphasis', content }, end };
  }
  return null;
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
