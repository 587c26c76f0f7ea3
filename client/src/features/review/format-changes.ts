/**
 * Formats the changes between two contents of a tour as sentences. Steps are numbered by their current position,
 * removed steps by their previous one.
 */

import { t as fields } from '../../shared/i18n/en/fields';
import { t } from '../../shared/i18n/en/review';
import { differences, stepFields, type Difference } from '../tour/difference';
import { newStep, sameValue, type DraftContent, type Step } from '../tour/draft';
import { formatDifference } from '../tour/format-difference';
import { stepName, formatStepField } from '../tour/format-field';

export interface FormattedChange {
  readonly id: string;
  /** Contains both values. */
  readonly sentence: string;
  /** Longer texts are a word diff. */
  readonly textChange: { readonly field: string; readonly before: string; readonly after: string } | null;
  readonly details: readonly string[];
}

export interface ChangedPart {
  readonly id: string;
  readonly subject: string;
  readonly changes: readonly FormattedChange[];
}

const MIN_MARKED_LENGTH = 60;

export function formatChanges(
  before: DraftContent,
  after: DraftContent,
  themeName: (id: string | null) => string,
): ChangedPart[] {
  const parts = new Map<string, { subject: string; position: number; changes: FormattedChange[] }>();
  const add = (part: string, subject: string, position: number, change: FormattedChange) => {
    const found = parts.get(part) ?? { subject, position, changes: [] };
    found.changes.push(change);
    parts.set(part, found);
  };
  const ofStep = (key: string, change: Omit<FormattedChange, 'id'>, id: string) => {
    const [currentIndex, previousIndex] = [indexOfStep(after, key), indexOfStep(before, key)];
    const step = after.steps[currentIndex] ?? before.steps[previousIndex];
    const index = currentIndex >= 0 ? currentIndex : previousIndex;
    if (step) add(`step:${key}`, t.words.step(index + 1, stepName(step)), 1 + index, { id, ...change });
  };
  for (const each of differences(before, after, before)) {
    const { part, id } = each;
    switch (part.kind) {
      case 'order':
        for (const { key, sentence } of formatMoves(before, after))
          ofStep(key, { sentence, ...noDetails }, `order:${key}`);
        break;
      case 'step': {
        const step = after.steps.find(other => other.key === part.key);
        ofStep(
          part.key,
          step
            ? { sentence: t.words.stepAdded, textChange: null, details: detailsOf(step, after.steps) }
            : { sentence: t.words.stepRemoved, ...noDetails },
          id,
        );
        break;
      }
      case 'field':
        ofStep(part.key, changeOf(each, before, after, themeName), id);
        break;
      case 'start':
      case 'theme':
      case 'locales': {
        const { subject } = formatDifference(each, { base: before, mine: after, theirs: before }, themeName);
        add(part.kind, subject, part.kind === 'start' ? -1 : 0, { id, ...changeOf(each, before, after, themeName) });
        break;
      }
      default:
        return part satisfies never;
    }
  }
  return [...parts].map(([id, part]) => ({ id, ...part })).toSorted((a, b) => a.position - b.position);
}

const noDetails = { textChange: null, details: [] } as const;

function changeOf(
  difference: Difference,
  before: DraftContent,
  after: DraftContent,
  themeName: (id: string | null) => string,
): Omit<FormattedChange, 'id'> {
  const { part } = difference;
  const formatted = formatDifference(difference, { base: before, mine: after, theirs: before }, themeName);
  const field = formatted.field || formatted.subject;
  const [previous, current] = [formatted.before ?? '', formatted.mine];
  if (part.kind === 'start' && part.field === 'page') {
    const page = ({ start }: DraftContent) => start.page ?? t.words.everywhere;
    return { sentence: t.words.page(page(after), page(before)), ...noDetails };
  }
  if (previous === '') return { sentence: t.words.added(field, current), ...noDetails };
  if (current === '') return { sentence: t.words.removed(field, previous), ...noDetails };
  const isMarked = formatted.isFreeText && previous.length + current.length > MIN_MARKED_LENGTH;
  return {
    sentence: t.words.changed(field, previous, current),
    textChange: isMarked ? { field, before: previous, after: current } : null,
    details: [],
  };
}

/** Formats the fields of a step that differ from a new one, and its kind. */
function detailsOf(step: Step, steps: readonly Step[]): string[] {
  const defaults = newStep([step]);
  const shownFields = stepFields.filter(
    field => field === 'kind' || (field !== 'title' && !sameValue(step[field], defaults[field])),
  );
  return shownFields.flatMap(field => {
    const value = formatStepField(step, field, steps);
    return value === '' ? [] : [t.words.detail(fields.step[field], value)];
  });
}

const indexOfStep = (content: DraftContent, key: string): number => content.steps.findIndex(step => step.key === key);

/** Formats a minimal set of moves between two orders, each by the step that now follows. */
function formatMoves(before: DraftContent, after: DraftContent): { key: string; sentence: string }[] {
  const shared = after.steps.filter(step => indexOfStep(before, step.key) >= 0);
  const unmoved = longestIncreasingIndices(shared.map(step => indexOfStep(before, step.key)));
  return shared.flatMap(({ key }, index) => {
    if (unmoved.has(index)) return [];
    const from = indexOfStep(before, key) + 1;
    const next = after.steps[indexOfStep(after, key) + 1];
    return [{ key, sentence: next ? t.words.movedBefore(from, stepName(next)) : t.words.movedToEnd(from) }];
  });
}

export function longestIncreasingIndices(values: readonly number[]): ReadonlySet<number> {
  /** That ends there. */
  const ends: number[][] = [];
  for (const [index, value] of values.entries()) {
    const before = ends.filter((_, other) => (values[other] ?? value) < value);
    const longest = before.reduce<number[]>((best, each) => (each.length > best.length ? each : best), []);
    ends.push([...longest, index]);
  }
  // If two neighbors swapped, the one that moved forward is reported.
  return new Set(ends.reduce((best, each) => (each.length >= best.length ? each : best), []));
}
