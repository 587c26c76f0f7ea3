/** A change of the content and a description for undo. */

import { t } from '../../shared/i18n/en/editor';
import { t as fields } from '../../shared/i18n/en/fields';
import type { StartField } from '../tour/difference';
import {
  addStep,
  changeStep,
  duplicateStep,
  moveStep,
  removeStep,
  sameStep,
  type DraftContent,
  type Start,
  type Step,
} from '../tour/draft';
import { stepName } from '../tour/format-field';
import type { EditDescription } from './history';

export interface Edit {
  readonly change: (content: DraftContent) => DraftContent;
  readonly description: EditDescription;
}

export function changeStepEdit(step: Step, change: Partial<Step>): Edit {
  const field = firstKey(change) ?? 'title';
  return {
    change: content => changeStep(content, step.key, change),
    description: { name: t.edits.ofStep(fields.step[field], stepName({ ...step, ...change })), step: step.key, field },
  };
}

export function changeStartEdit(change: Partial<Start>): Edit {
  const field: StartField = firstKey(change) ?? 'trigger';
  return {
    change: content => ({ ...content, start: { ...content.start, ...change } }),
    description: { name: t.edits.ofStart(fields.start[field]), field: `start.${field}` },
  };
}

export const changeThemeEdit = (themeId: string | null): Edit => ({
  change: content => ({ ...content, themeId }),
  description: { name: t.edits.theme, field: 'themeId' },
});

export const addStepEdit = (step: Step, at: number): Edit => ({
  change: content => addStep(content, step, at),
  description: { name: t.edits.newStep, step: step.key },
});

export const removeStepEdit = (step: Step): Edit => ({
  change: content => removeStep(content, step.key),
  description: { name: t.edits.deletion(stepName(step)), step: step.key },
});

/** One undo restores the original position. */
export const moveStepEdit = (step: Step, to: number): Edit => ({
  change: content => moveStep(content, step.key, to),
  description: { name: t.edits.move(stepName(step)), step: step.key, field: 'order' },
});

export function duplicateStepEdit(content: DraftContent, step: Step): (Edit & { copy: Step }) | null {
  const duplicate = duplicateStep(content, step.key);
  return (
    duplicate && {
      copy: duplicate.copy,
      change: () => duplicate.content,
      description: { name: t.edits.copy(stepName(step)), step: duplicate.copy.key },
    }
  );
}

export type EditTarget = { readonly step: string; readonly field?: string } | { readonly rules: string } | null;

/** Returns the step or rule to show after an undo or redo; null if the step no longer exists. */
export function editTargetOf(before: DraftContent, after: DraftContent, { step, field }: EditDescription): EditTarget {
  const changed = after.steps.find(
    each =>
      !sameStep(
        each,
        before.steps.find(other => other.key === each.key),
      ),
  );
  if (changed) return { step: changed.key, ...(field ? { field } : {}) };
  if (step !== undefined) return after.steps.some(each => each.key === step) ? { step } : null;
  return field === undefined ? null : { rules: field.replace('start.', '') };
}

const firstKey = <T extends object>(value: T): keyof T | undefined => Object.keys(value)[0] as keyof T | undefined;
