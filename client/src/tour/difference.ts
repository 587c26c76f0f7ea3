/**
 * Two people changed the same draft. Compares both with what they began from, proposes for each part whose change to take,
 * and puts the chosen parts together. Nothing is lost without somebody having chosen so.
 */
import { sameStart, sameStep, type DraftContent, type Step } from './draft';

export type Side = 'mine' | 'theirs';

/** What happened to one part on one side since the common state. */
export type Change = 'same' | 'changed' | 'added' | 'removed';

export interface PartDifference {
  /** The step's key, or the name of a part of the tour. */
  readonly part: 'start' | 'theme' | 'order' | `step:${string}`;
  readonly mine: Change;
  readonly theirs: Change;
  /** Whose change is taken unless the person chooses otherwise: the only one, or mine when both changed it. */
  readonly proposal: Side;
}

export type Choices = Readonly<Record<string, Side>>;

/** The parts in which mine and theirs differ, in the order of the editor. */
export function differences(base: DraftContent, mine: DraftContent, theirs: DraftContent): PartDifference[] {
  const found: PartDifference[] = [];
  const add = (part: PartDifference['part'], mineChange: Change, theirChange: Change) =>
    found.push({
      part,
      mine: mineChange,
      theirs: theirChange,
      proposal: mineChange === 'same' ? 'theirs' : 'mine',
    });

  if (!sameStart(mine.start, theirs.start)) {
    add('start', changed(!sameStart(base.start, mine.start)), changed(!sameStart(base.start, theirs.start)));
  }
  if (mine.themeId !== theirs.themeId) {
    add('theme', changed(base.themeId !== mine.themeId), changed(base.themeId !== theirs.themeId));
  }
  for (const key of keysOf(mine, theirs)) {
    const [inBase, inMine, inTheirs] = [find(base, key), find(mine, key), find(theirs, key)];
    if (inMine && inTheirs ? sameStep(inMine, inTheirs) : inMine === inTheirs) continue;
    add(`step:${key}`, changeOf(inBase, inMine), changeOf(inBase, inTheirs));
  }
  const common = sharedOrder(mine, theirs);
  if (common.some((key, index) => key !== sharedOrder(theirs, mine)[index])) {
    add('order', changed(reordered(base, mine)), changed(reordered(base, theirs)));
  }
  return found;
}

/** Puts the chosen parts together. */
export function merge(
  mine: DraftContent,
  theirs: DraftContent,
  parts: readonly PartDifference[],
  choices: Choices,
): DraftContent {
  const chosen = (part: PartDifference['part']): Side => {
    const difference = parts.find(each => each.part === part);
    return choices[part] ?? difference?.proposal ?? 'mine';
  };
  const content = (side: Side) => (side === 'mine' ? mine : theirs);
  const steps = new Map<string, Step>();
  for (const key of keysOf(mine, theirs)) {
    const step = find(content(chosen(`step:${key}`)), key);
    if (step) steps.set(key, step);
  }
  const [first, second] = chosen('order') === 'theirs' ? [theirs, mine] : [mine, theirs];
  const order = interleave(
    first.steps.map(step => step.key),
    second.steps.map(step => step.key),
  );
  return {
    start: content(chosen('start')).start,
    themeId: content(chosen('theme')).themeId,
    steps: order.flatMap(key => steps.get(key) ?? []),
  };
}

const changed = (is: boolean): Change => (is ? 'changed' : 'same');

function changeOf(before: Step | undefined, after: Step | undefined): Change {
  if (!before) return after ? 'added' : 'same';
  if (!after) return 'removed';
  return changed(!sameStep(before, after));
}

const find = (content: DraftContent, key: string) => content.steps.find(step => step.key === key);

const keysOf = (mine: DraftContent, theirs: DraftContent): string[] =>
  interleave(
    mine.steps.map(step => step.key),
    theirs.steps.map(step => step.key),
  );

/** The keys of `one` that `other` has too, in the order of `one`. */
function sharedOrder(one: DraftContent, other: DraftContent): string[] {
  return one.steps.map(step => step.key).filter(key => find(other, key));
}

const reordered = (before: DraftContent, after: DraftContent): boolean => {
  const then = sharedOrder(before, after);
  return sharedOrder(after, before).some((key, index) => key !== then[index]);
};

/** The order of `first`, with what only `second` has right behind what it stands behind there. */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  const order = [...first];
  for (const [index, key] of second.entries()) {
    if (order.includes(key)) continue;
    const before = second.slice(0, index).findLast(each => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
  }
  return order;
}

/** The fields of a step that differ, with both texts, for a person to read. */
export function stepChanges(mine: Step, theirs: Step): { field: string; mine: string; theirs: string }[] {
  return stepFields
    .map(([field, text]) => ({ field, mine: text(mine), theirs: text(theirs) }))
    .filter(each => each.mine !== each.theirs);
}

const stepFields: readonly (readonly [string, (step: Step) => string])[] = [
  ['Title', step => step.title],
  ['Text', step => step.body],
  ['Kind', step => (step.kind === 'MODAL' ? 'In the middle' : 'Beside an element')],
  [
    'Element',
    step => (step.target ? `${step.target.by === 'DATA_TOUR' ? 'data-tour' : 'selector'} ${step.target.value}` : ''),
  ],
  ['Side', step => step.side.toLowerCase()],
  ['Label of Next', step => step.nextLabel ?? ''],
  ['Label of Previous', step => step.backLabel ?? ''],
  ['Label of Done', step => step.doneLabel ?? ''],
  ['When the element is missing', step => step.missingTarget.toLowerCase().replaceAll('_', ' ')],
  ['Waiting time', step => `${step.waitMs / 1000} s`],
];
