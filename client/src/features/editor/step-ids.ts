/**
 * Names for the steps on the screen that stay when a step's key changes, so that nothing there begins anew: not the
 * field that has the focus, not the choice of what is shown.
 */
export interface StepId {
  readonly key: string;
  readonly id: string;
}

/** The names of steps with these keys, in their order, after they had been `before`. */
export function updateStepIds(before: readonly StepId[], keys: readonly string[]): readonly StepId[] {
  const known = new Map(before.map(each => [each.key, each.id]));
  const remaining = new Set(keys);
  const taken = new Set(before.filter(each => remaining.has(each.key)).map(each => each.id));
  const unusedId = (wanted: string): string => {
    let id = wanted;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted} ${number}`;
    taken.add(id);
    return id;
  };
  const next = keys.map((key, index): StepId => {
    const id = known.get(key);
    if (id !== undefined) return { key, id };
    // A key that is new in the place of one that is gone, with as many steps as before: the step has another key now.
    const replaced = before.length === keys.length ? before[index] : undefined;
    return { key, id: unusedId(replaced && !remaining.has(replaced.key) ? replaced.id : key) };
  });
  const same = next.length === before.length && next.every((each, index) => isSame(each, before[index]));
  return same ? before : next;
}

const isSame = (a: StepId, b: StepId | undefined): boolean => a.key === b?.key && a.id === b.id;
