/** What the inspector shows, by names of steps that outlive their keys; and the way from a key to its name. */
import { useState } from 'react';
import type { Step } from '../tour/draft';
import { updateStepIds, type StepId } from './step-ids';

/** What the inspector shows: a step by its name on the screen, or the rules of the tour. */
export type Selection = { readonly step: string } | 'rules';

export interface StepSelection {
  readonly ids: readonly StepId[];
  readonly selection: Selection;
  /** The place of the selected step, or -1. */
  readonly index: number;
  readonly select: (selection: Selection) => void;
  /** The name that the step with this key has once the steps are these. */
  readonly idOf: (key: string, steps: readonly Step[]) => string | undefined;
}

const keysOf = (steps: readonly Step[]): string[] => steps.map(step => step.key);

export function useStepSelection(steps: readonly Step[], startWith: string | null): StepSelection {
  const [known, setKnown] = useState(() => updateStepIds([], keysOf(steps)));
  const [chosen, setChosen] = useState<Selection>(() => {
    const first = steps.find(step => step.key === startWith) ?? steps[0];
    return first ? { step: first.key } : 'rules';
  });
  const ids = updateStepIds(known, keysOf(steps));
  let selection = chosen;
  if (ids !== known) {
    setKnown(ids);
    // A step that is gone hands the selection on to the one that takes its place.
    if (chosen !== 'rules' && !ids.some(each => each.id === chosen.step)) {
      const at = known.findIndex(each => each.id === chosen.step);
      const next = ids[Math.max(0, Math.min(at, ids.length - 1))];
      selection = next ? { step: next.id } : 'rules';
      setChosen(selection);
    }
  }
  return {
    ids,
    selection,
    index: selection === 'rules' ? -1 : ids.findIndex(each => each.id === selection.step),
    select: setChosen,
    idOf: (key, at) => updateStepIds(ids, keysOf(at)).find(each => each.key === key)?.id,
  };
}
