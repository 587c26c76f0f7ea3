/** A part of a diff of two texts. */
export interface Piece {
  readonly text: string;
  readonly change: 'same' | 'added' | 'removed';
}

/** Maximum number of words of both texts together. Above it the comparison, which is quadratic, would take too long. */
const MAX_WORDS = 1600;

/** Minimum share of common words for which the changes of two texts are interleaved. */
const MIN_COMMON_SHARE = 0.5;

/**
 * Returns the difference of two texts by words. If they have little in common, the first is removed and the second is
 * added as a whole, because interleaved sentences are hard to read.
 */
export function wordDiff(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const whole = joined([...pieces(old, 'removed'), ...pieces(now, 'added')]);
  if (old.length + now.length > MAX_WORDS) return whole;
  const found: Piece[] = [];
  const lengths = commonLengths(old, now);
  const common = (a: number, b: number): number => lengths[a * (now.length + 1) + b] ?? 0;
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    const [removed, added] = [old[a], now[b]];
    if (removed !== undefined && removed === added) {
      found.push({ text: removed, change: 'same' });
      a += 1;
      b += 1;
    } else if (removed !== undefined && (added === undefined || common(a + 1, b) >= common(a, b + 1))) {
      found.push({ text: removed, change: 'removed' });
      a += 1;
    } else if (added !== undefined) {
      found.push({ text: added, change: 'added' });
      b += 1;
    }
  }
  const most = Math.max(countWords(old), countWords(now));
  const kept = countWords(found.flatMap(({ text, change }) => (change === 'same' ? [text] : [])));
  return kept < most * MIN_COMMON_SHARE ? whole : joined(found);
}

const countWords = (parts: readonly string[]): number => parts.filter(each => /[\p{L}\p{N}_]/u.test(each)).length;

/** Splits a text into words and separators, which add up to the text. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const pieces = (words: readonly string[], change: Piece['change']): Piece[] => words.map(text => ({ text, change }));

/** Returns the lengths of the longest common subsequences of all pairs of suffixes. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = now.length - 1; b >= 0; b -= 1) {
      const [down, right, both] = [(a + 1) * width + b, a * width + b + 1, (a + 1) * width + b + 1];
      lengths[a * width + b] =
        old[a] === now[b] ? (lengths[both] ?? 0) + 1 : Math.max(lengths[down] ?? 0, lengths[right] ?? 0);
    }
  }
  return lengths;
}

function joined(found: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of found) {
    const last = result.at(-1);
    if (last?.change === piece.change) result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}
