/** Which words of a text came and which went, for a person to see. */
export interface Piece {
  readonly text: string;
  readonly change: 'same' | 'added' | 'removed';
}

/** Beyond this many words on both sides together, comparing costs more than it shows. */
const MOST = 1600;

/** The share of words that two texts have in common at least, to be woven together. */
const LEAST_COMMON = 0.5;

/**
 * The words of both texts in one order: what only `before` has is removed, what only `after` has is added. Texts that have little
 * in common are told one after the other: nobody can read two sentences that are woven together.
 */
export function wordDiff(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const whole = joined([...pieces(old, 'removed'), ...pieces(now, 'added')]);
  if (old.length + now.length > MOST) return whole;
  const found: Piece[] = [];
  const lengths = commonLengths(old, now);
  const common = (a: number, b: number): number => lengths[a * (now.length + 1) + b] ?? 0;
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    const [gone, come] = [old[a], now[b]];
    if (gone !== undefined && gone === come) {
      found.push({ text: gone, change: 'same' });
      a += 1;
      b += 1;
    } else if (gone !== undefined && (come === undefined || common(a + 1, b) >= common(a, b + 1))) {
      found.push({ text: gone, change: 'removed' });
      a += 1;
    } else if (come !== undefined) {
      found.push({ text: come, change: 'added' });
      b += 1;
    }
  }
  const most = Math.max(countWords(old), countWords(now));
  const kept = countWords(found.flatMap(({ text, change }) => (change === 'same' ? [text] : [])));
  return kept < most * LEAST_COMMON ? whole : joined(found);
}

const countWords = (parts: readonly string[]): number => parts.filter(each => /[\p{L}\p{N}_]/u.test(each)).length;

/** Words and what is between them; together they are the text again. */
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

const pieces = (words: readonly string[], change: Piece['change']): Piece[] => words.map(text => ({ text, change }));

/** For each pair of places, how many words the rests of both texts have in common, in order. */
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
