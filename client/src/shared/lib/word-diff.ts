import { diffArrays } from 'diff';

/** A part of a diff of two texts. */
export interface Piece {
  readonly text: string;
  readonly change: 'same' | 'added' | 'removed';
}

/**
 * Maximum number of insertions and deletions. Above it the comparison, which is quadratic, would take too long, and the
 * texts have little in common.
 */
const MAX_EDITS = 600;

/** Minimum share of common words for which the changes of two texts are interleaved. */
const MIN_COMMON_SHARE = 0.5;

/** Also finds the words of languages without spaces, such as Chinese and Japanese. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const textOf = (segments: readonly Intl.SegmentData[]): string => segments.map(each => each.segment).join('');

const countWords = (segments: readonly Intl.SegmentData[]): number => segments.filter(each => each.isWordLike).length;

/**
 * Returns the difference of two texts by words. If they have little in common, the first is removed and the second is
 * added as a whole, because interleaved sentences are hard to read.
 */
export function wordDiff(before: string, after: string): Piece[] {
  const [old, now] = [[...segmenter.segment(before)], [...segmenter.segment(after)]];
  const changes = diffArrays(old, now, {
    comparator: (left, right) => left.segment === right.segment,
    maxEditLength: MAX_EDITS,
  });
  const common = changes?.filter(each => !each.added && !each.removed).flatMap(each => each.value) ?? [];
  if (!changes || countWords(common) < Math.max(countWords(old), countWords(now)) * MIN_COMMON_SHARE) {
    const whole: Piece[] = [
      { text: before, change: 'removed' },
      { text: after, change: 'added' },
    ];
    return whole.filter(each => each.text !== '');
  }
  return changes.map(({ added, removed, value }) => ({
    text: textOf(value),
    change: added ? 'added' : removed ? 'removed' : 'same',
  }));
}
