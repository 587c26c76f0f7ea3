export interface TextSelection {
  readonly text: string;
  /** Equals `to` for a caret. */
  readonly from: number;
  readonly to: number;
}

export function toggleFormatting({ text, from, to }: TextSelection, mark: string): TextSelection {
  const length = mark.length;
  const isAt = (index: number) => text.slice(index, index + length) === mark;
  if (from >= length && isAt(from - length) && isAt(to) && !isPartOfStrong(text, from - length, to, mark)) {
    return {
      text: text.slice(0, from - length) + text.slice(from, to) + text.slice(to + length),
      from: from - length,
      to: to - length,
    };
  }
  // Behind the closing characters.
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  if (from === to && isAt(to) && line.split(mark).length % 2 === 0) {
    return { text, from: to + length, to: to + length };
  }
  // Formatting must not begin or end with a space.
  const words = text.slice(from, to);
  const start = from + (words.length - words.trimStart().length);
  const end = Math.max(start, to - (words.length - words.trimEnd().length));
  return {
    text: text.slice(0, start) + mark + text.slice(start, end) + mark + text.slice(end),
    from: start + length,
    to: end + length,
  };
}

const isPartOfStrong = (text: string, open: number, close: number, mark: string): boolean =>
  mark === '*' && (text[open - 1] === '*') !== (text[open - 2] === '*') && text[close + 1] === '*';

const ADDRESS = 'https://';

/** Selects the missing part: address or text. */
export function addLink({ text, from, to }: TextSelection): TextSelection {
  const words = text.slice(from, to);
  const isAddress = /^(https?:\/\/|mailto:)\S+$/.test(words);
  const link = isAddress ? `[](${words})` : `[${words}](${ADDRESS})`;
  const caret = isAddress || words === '' ? from + 1 : from + words.length + 3;
  return {
    text: text.slice(0, from) + link + text.slice(to),
    from: caret,
    to: isAddress || words === '' ? caret : caret + ADDRESS.length,
  };
}

/** Replaces the selection with an image on a separate line. The caret is after it. */
export function addImage(
  { text, from, to }: TextSelection,
  { address, description }: { readonly address: string; readonly description: string },
): TextSelection {
  const before = from > 0 && text[from - 1] !== '\n' ? '\n' : '';
  const after = to < text.length && text[to] !== '\n' ? '\n' : '';
  const image = `${before}![${description.replaceAll(/[[\]\n]/g, ' ').trim()}](${address.trim()})`;
  const caret = from + image.length;
  return { text: `${text.slice(0, from)}${image}${after}${text.slice(to)}`, from: caret, to: caret };
}

const ITEM = /^ {0,3}(?:[-*]|\d{1,9}[.)]) +/;
const isBullet = (line: string): boolean => /^ {0,3}[-*] +/.test(line);
const isNumber = (line: string): boolean => /^ {0,3}\d{1,9}[.)] +/.test(line);

export function toggleList({ text, from, to }: TextSelection, kind: 'bullets' | 'numbers'): TextSelection {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, to));
  const end = next < 0 ? text.length : next;
  const lines = text.slice(start, end).split('\n');
  const isItem = kind === 'bullets' ? isBullet : isNumber;
  const written = lines.filter(line => line.trim() !== '');
  const off = written.length > 0 && written.every(isItem);
  let number = 0;
  const changed = lines.map(line => {
    const bare = line.replace(ITEM, '');
    if (off || (bare.trim() === '' && lines.length > 1)) return bare;
    number += 1;
    return kind === 'bullets' ? `- ${bare}` : `${number}. ${bare}`;
  });
  const replaced = changed.join('\n');
  const caret = start + replaced.length;
  return {
    text: text.slice(0, start) + replaced + text.slice(end),
    from: from === to ? caret : start,
    to: caret,
  };
}

/** Starts the next item, or ends the list in an empty item. Null outside of lists. */
export function continueList({ text, from, to }: TextSelection): TextSelection | null {
  if (from !== to) return null;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const line = text.slice(start, from);
  const item = ITEM.exec(line);
  if (!item) return null;
  if (line.length === item[0].length) {
    return { text: text.slice(0, start) + text.slice(from), from: start, to: start };
  }
  const mark = item[0].replace(/\d+/, number => String(Number(number) + 1));
  const caret = from + 1 + mark.length;
  return { text: `${text.slice(0, from)}\n${mark}${text.slice(from)}`, from: caret, to: caret };
}
