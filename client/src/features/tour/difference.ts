/** Compares two versions with their base by field. A change is discarded only by an explicit choice. */

import { keysOf } from '../../shared/i18n/language';
import { sameValue, unusedKey, type DraftContent, type Start, type Step } from './draft';
import { withoutOtherLocales } from './translations';

export type Side = 'mine' | 'theirs';

export type Change = 'same' | 'changed' | 'added' | 'removed';

export type StepField = Exclude<keyof Step, 'key'>;
export type StartField = keyof Start;

/** A step on one side only differs as a whole. */
export type Part =
  | { readonly kind: 'start'; readonly field: StartField }
  | { readonly kind: 'theme' }
  | { readonly kind: 'locales' }
  | { readonly kind: 'order' }
  | { readonly kind: 'step'; readonly key: string }
  | { readonly kind: 'field'; readonly key: string; readonly field: StepField };

export interface Difference {
  /** An id that is unique in one comparison. */
  readonly id: string;
  readonly part: Part;
  readonly mine: Change;
  readonly theirs: Change;
  /** The side that changed, or `mine`. */
  readonly proposal: Side;
}

export type Choices = Readonly<Record<string, Side>>;

// A new field does not compile until it is compared here.
export const stepFields = keysOf<StepField>({
  kind: true,
  title: true,
  body: true,
  target: true,
  side: true,
  nextLabel: true,
  previousLabel: true,
  doneLabel: true,
  missingTarget: true,
  waitMs: true,
  page: true,
  advance: true,
  branches: true,
  blockPage: true,
  closeOnOutsideClick: true,
  translations: true,
});

export const startFields = keysOf<StartField>({
  trigger: true,
  event: true,
  frequency: true,
  everyDays: true,
  page: true,
  when: true,
  delayMs: true,
  priority: true,
  ignoreCooldown: true,
});

/** True if the user must choose. */
export const isConflict = ({ mine, theirs }: Difference): boolean => mine !== 'same' && theirs !== 'same';

export function differences(base: DraftContent, mine: DraftContent, theirs: DraftContent): Difference[] {
  const found: Difference[] = [];
  const add = (part: Part, mineChange: Change, theirChange: Change) =>
    found.push({
      id: idOf(part),
      part,
      mine: mineChange,
      theirs: theirChange,
      proposal: mineChange === 'same' ? 'theirs' : 'mine',
    });

  for (const field of startFields) {
    if (sameValue(mine.start[field], theirs.start[field])) continue;
    add(
      { kind: 'start', field },
      changeIf(!sameValue(base.start[field], mine.start[field])),
      changeIf(!sameValue(base.start[field], theirs.start[field])),
    );
  }
  if (mine.themeId !== theirs.themeId) {
    add({ kind: 'theme' }, changeIf(base.themeId !== mine.themeId), changeIf(base.themeId !== theirs.themeId));
  }
  if (!sameValue(mine.locales, theirs.locales)) {
    add(
      { kind: 'locales' },
      changeIf(!sameValue(base.locales, mine.locales)),
      changeIf(!sameValue(base.locales, theirs.locales)),
    );
  }
  for (const key of stepKeys(mine, theirs)) {
    const [inBase, inMine, inTheirs] = [find(base, key), find(mine, key), find(theirs, key)];
    if (!inMine || !inTheirs) {
      add({ kind: 'step', key }, changeOf(inBase, inMine), changeOf(inBase, inTheirs));
      continue;
    }
    for (const field of stepFields) {
      if (sameValue(inMine[field], inTheirs[field])) continue;
      add(
        { kind: 'field', key, field },
        changeIf(!inBase || !sameValue(inBase[field], inMine[field])),
        changeIf(!inBase || !sameValue(inBase[field], inTheirs[field])),
      );
    }
  }
  const common = sharedOrder(mine, theirs);
  if (common.some((key, index) => key !== sharedOrder(theirs, mine)[index])) {
    add({ kind: 'order' }, changeIf(isReordered(base, mine)), changeIf(isReordered(base, theirs)));
  }
  return found;
}

export function merge(
  mine: DraftContent,
  theirs: DraftContent,
  parts: readonly Difference[],
  choices: Choices = {},
): DraftContent {
  const sides = new Map(parts.map(each => [each.id, choices[each.id] ?? each.proposal]));
  const isTheirs = (part: Part) => sides.get(idOf(part)) === 'theirs';
  const content = (part: Part) => (isTheirs(part) ? theirs : mine);

  const steps = new Map<string, Step>();
  for (const key of stepKeys(mine, theirs)) {
    const [inMine, inTheirs] = [find(mine, key), find(theirs, key)];
    const step = inMine && inTheirs ? mergeStep(inMine, inTheirs, isTheirs) : find(content({ kind: 'step', key }), key);
    if (step) steps.set(key, step);
  }
  const [first, second] = isTheirs({ kind: 'order' }) ? [theirs, mine] : [mine, theirs];
  const order = interleave(
    first.steps.map(step => step.key),
    second.steps.map(step => step.key),
  );
  const { start } = mine;
  const from = (field: StartField): Start => content({ kind: 'start', field }).start;
  const mergedStart: Start = {
    trigger: from('trigger').trigger,
    event: from('event').event,
    frequency: from('frequency').frequency,
    everyDays: from('everyDays').everyDays,
    page: from('page').page,
    when: from('when').when,
    delayMs: from('delayMs').delayMs,
    priority: from('priority').priority,
    ignoreCooldown: from('ignoreCooldown').ignoreCooldown,
  };
  // One side may have removed a language into which the other has translated.
  return withoutOtherLocales({
    start: startFields.every(field => start[field] === mergedStart[field]) ? start : mergedStart,
    themeId: content({ kind: 'theme' }).themeId,
    locales: content({ kind: 'locales' }).locales,
    steps: order.flatMap(key => steps.get(key) ?? []),
  });
}

/** Prefers `content` in parts that both sides changed. */
export const applyChanges = (content: DraftContent, from: DraftContent, to: DraftContent): DraftContent =>
  merge(content, to, differences(from, content, to));

/** Steps that were added on both sides under the same key are different. */
export function keyCollisionRenames(
  base: DraftContent,
  mine: DraftContent,
  theirs: DraftContent,
): ReadonlyMap<string, string> {
  const taken = [...mine.steps, ...theirs.steps];
  const names = new Map<string, string>();
  for (const step of mine.steps) {
    const other = find(theirs, step.key);
    if (!other || find(base, step.key) || stepFields.every(field => sameValue(step[field], other[field]))) continue;
    const key = unusedKey(step.key, taken);
    taken.push({ ...step, key });
    names.set(step.key, key);
  }
  return names;
}

function mergeStep(mine: Step, theirs: Step, isTheirs: (part: Part) => boolean): Step {
  const taken = stepFields.filter(field => isTheirs({ kind: 'field', key: mine.key, field }));
  return taken.length === 0 ? mine : { ...mine, ...Object.fromEntries(taken.map(field => [field, theirs[field]])) };
}

function idOf(part: Part): string {
  switch (part.kind) {
    case 'start':
      return `start.${part.field}`;
    case 'step':
      return `step:${part.key}`;
    case 'field':
      return `step:${part.key}.${part.field}`;
    default:
      return part.kind;
  }
}

const changeIf = (isChanged: boolean): Change => (isChanged ? 'changed' : 'same');

function changeOf(before: Step | undefined, after: Step | undefined): Change {
  if (!before) return after ? 'added' : 'same';
  if (!after) return 'removed';
  return changeIf(stepFields.some(field => !sameValue(before[field], after[field])));
}

const find = (content: DraftContent, key: string) => content.steps.find(step => step.key === key);

const stepKeys = (mine: DraftContent, theirs: DraftContent): string[] =>
  interleave(
    mine.steps.map(step => step.key),
    theirs.steps.map(step => step.key),
  );

/** Uses the order of `one`. */
function sharedOrder(one: DraftContent, other: DraftContent): string[] {
  return one.steps.map(step => step.key).filter(key => find(other, key));
}

const isReordered = (before: DraftContent, after: DraftContent): boolean => {
  const previousOrder = sharedOrder(before, after);
  return sharedOrder(after, before).some((key, index) => key !== previousOrder[index]);
};

/** Inserts the keys of `second`, each after the key that precedes it there. */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  const order = [...first];
  for (const [index, key] of second.entries()) {
    if (order.includes(key)) continue;
    const before = second.slice(0, index).findLast(each => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
  }
  return order;
}
