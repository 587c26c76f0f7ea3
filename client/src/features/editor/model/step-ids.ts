/** A new key keeps the id, so that React keeps the step's components, with focus and selection. */
export interface StepId {
  readonly key: string;
  readonly id: string;
}

/** Returns `before` itself if nothing changed. */
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
    // The step was renamed.
    const replaced = before.length === keys.length ? before[index] : undefined;
    return { key, id: unusedId(replaced && !remaining.has(replaced.key) ? replaced.id : key) };
  });
  const same = next.length === before.length && next.every((each, index) => isSame(each, before[index]));
  return same ? before : next;
}

const isSame = (a: StepId, b: StepId | undefined): boolean => a.key === b?.key && a.id === b.id;
