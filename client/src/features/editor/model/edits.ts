import { t } from '../../../shared/i18n/en/editor';
import { t as fields } from '../../../shared/i18n/en/fields';
import { formatLanguage } from '../../../shared/i18n/format';
import type { StartField } from '../../tour/difference';
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
} from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import {
  addLocale,
  changeOriginalLocale,
  removeLocale,
  translate,
  translationFieldName,
  type NewTranslation,
  type TranslatedText,
} from '../../tour/translations';
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

export const changeOriginalLocaleEdit = (locale: string): Edit => ({
  change: content => changeOriginalLocale(content, locale),
  description: { name: t.edits.originalLanguage, field: 'originalLocale', languages: true },
});

export const addLocaleEdit = (locale: string): Edit => ({
  change: content => addLocale(content, locale),
  description: { name: t.edits.newLanguage(formatLanguage(locale)), languages: true },
});

export const removeLocaleEdit = (locale: string): Edit => ({
  change: content => removeLocale(content, locale),
  description: { name: t.edits.removedLanguage(formatLanguage(locale)), languages: true },
});

/** `index` is that of the text among the translated texts. */
export const translateEdit = (
  locale: string,
  step: Step,
  { field, original }: TranslatedText,
  text: string,
  index: number,
): Edit => ({
  change: content => translate(content, locale, [{ step: step.key, field, original, text }]),
  description: {
    name: t.edits.translation(stepName(step), locale),
    step: step.key,
    field: `${translationFieldName(index)}.${locale}`,
    languages: true,
  },
});

export const importEdit = (locale: string, translations: readonly NewTranslation[]): Edit => ({
  change: content => translate(content, locale, translations),
  description: { name: t.edits.import(formatLanguage(locale)), languages: true },
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

export type EditTarget =
  | { readonly step: string; readonly field?: string }
  | { readonly rules: string }
  | 'languages'
  | null;

/** Returns null if the step or rule no longer exists. */
export function editTargetOf(before: DraftContent, after: DraftContent, description: EditDescription): EditTarget {
  const { step, field, languages } = description;
  if (languages) return 'languages';
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
