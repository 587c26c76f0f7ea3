import { diffArrays } from 'diff';

export interface Piece {
  readonly text: string;
  readonly change: 'same' | 'added' | 'removed';
}

/** Insertions and deletions. The comparison is quadratic, and the texts have little in common. */
const MAX_EDITS = 600;

/** The least share of common words of two texts whose changes are shown interleaved. */
const MIN_COMMON_SHARE = 0.5;

/** Finds words also in Chinese and Japanese texts. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const textOf = (segments: readonly Intl.SegmentData[]): string => segments.map(each => each.segment).join('');

const countWords = (segments: readonly Intl.SegmentData[]): number => segments.filter(each => each.isWordLike).length;

/** Texts with little in common are replaced as a whole. */
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
