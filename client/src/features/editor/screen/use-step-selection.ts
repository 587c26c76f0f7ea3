import { useState } from 'react';
import type { Step } from '../../tour/draft';
import { updateStepIds, type StepId } from '../model/step-ids';

export type Selection = { readonly step: string } | 'rules' | 'languages';

export interface StepSelection {
  readonly ids: readonly StepId[];
  readonly selection: Selection;
  readonly index: number;
  readonly select: (selection: Selection) => void;
  /** The step may not be rendered yet. */
  readonly idOf: (key: string, steps: readonly Step[]) => string | undefined;
}

const keysOf = (steps: readonly Step[]): string[] => steps.map(step => step.key);

export function useStepSelection(steps: readonly Step[], startWith: string | null): StepSelection {
  const [previousIds, setPreviousIds] = useState(() => updateStepIds([], keysOf(steps)));
  const [chosen, setChosen] = useState<Selection>(() => {
    const first = steps.find(step => step.key === startWith) ?? steps[0];
    return first ? { step: first.key } : 'rules';
  });
  const ids = updateStepIds(previousIds, keysOf(steps));
  let selection = chosen;
  if (ids !== previousIds) {
    setPreviousIds(ids);
    // Select the step at the position of a removed one.
    if (typeof chosen === 'object' && !ids.some(each => each.id === chosen.step)) {
      const at = previousIds.findIndex(each => each.id === chosen.step);
      const next = ids[Math.max(0, Math.min(at, ids.length - 1))];
      selection = next ? { step: next.id } : 'rules';
      setChosen(selection);
    }
  }
  return {
    ids,
    selection,
    index: typeof selection === 'string' ? -1 : ids.findIndex(each => each.id === selection.step),
    select: setChosen,
    idOf: (key, at) => updateStepIds(ids, keysOf(at)).find(each => each.key === key)?.id,
  };
}
