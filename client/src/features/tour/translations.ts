import { traitsOf } from '../../../embed/player/step-kinds';
import type { TextField } from '../../../embed/player/types';
import { BranchInputRules, StepInputRules, TourSaveInputRules } from '../../generated/rules';
import type { DraftContent, Step } from './draft';

export const MAX_LOCALES = TourSaveInputRules.fields.locales.count.max;

/** The maximum in characters. A translation has that of its original. */
export const maxLengths: Readonly<Record<TextField, number>> = {
  TITLE: StepInputRules.fields.title.length.max,
  BODY: StepInputRules.fields.body.length.max,
  NEXT_LABEL: StepInputRules.fields.nextLabel.length.max,
  PREVIOUS_LABEL: StepInputRules.fields.previousLabel.length.max,
  DONE_LABEL: StepInputRules.fields.doneLabel.length.max,
  BRANCH_LABEL: BranchInputRules.fields.label.length.max,
};

export type TranslationState = 'missing' | 'outdated' | 'translated';

export interface TranslatedText {
  readonly step: string;
  readonly field: TextField;
  readonly original: string;
  /** Empty if it is missing. */
  readonly text: string;
  readonly state: TranslationState;
}

/** Returns the texts of a step that visitors see (see `texts` in server/waypost/domain/src/tour/translation.rs). */
function textsOf(step: Step): { field: TextField; original: string }[] {
  if (!traitsOf(step).popover) return [];
  const texts: [TextField, string | null][] = [
    ['TITLE', step.title],
    ['BODY', step.body],
    ['NEXT_LABEL', step.nextLabel],
    ['PREVIOUS_LABEL', step.previousLabel],
    ['DONE_LABEL', step.doneLabel],
    ...[...new Set(step.branches.map(({ label }) => label))].map((label): [TextField, string | null] => [
      'BRANCH_LABEL',
      label,
    ]),
  ];
  return texts.flatMap(([field, original]) => (original?.trim() ? [{ field, original }] : []));
}

type Translation = Step['translations'][number];

/** The original identifies a branch, because branches have no key. */
const isOf = (each: Translation, locale: string, field: TextField, original: string): boolean =>
  each.locale === locale && each.field === field && (field !== 'BRANCH_LABEL' || each.source === original);

export const translatedTexts = (steps: readonly Step[], locale: string): TranslatedText[] =>
  steps.flatMap(step =>
    textsOf(step).map(({ field, original }): TranslatedText => {
      const found = step.translations.find(each => isOf(each, locale, field, original));
      const state = !found ? 'missing' : found.source === original ? 'translated' : 'outdated';
      return { step: step.key, field, original, text: found?.text ?? '', state };
    }),
  );

export const translationFieldName = (index: number): string => `translation-${index}`;

/** Removes the translation if it is empty. */
export interface NewTranslation {
  readonly step: string;
  readonly field: TextField;
  readonly original: string;
  readonly text: string;
}

/** Changes translations, and removes those of branch labels that no longer exist. */
export function translate(content: DraftContent, locale: string, changes: readonly NewTranslation[]): DraftContent {
  const steps = content.steps.map((step): Step => {
    const own = changes.filter(change => change.step === step.key);
    if (own.length === 0) return step;
    const labels = new Set(step.branches.map(({ label }) => label));
    const kept = step.translations.filter(
      each =>
        (each.field !== 'BRANCH_LABEL' || labels.has(each.source)) &&
        !own.some(({ field, original }) => isOf(each, locale, field, original)),
    );
    const added = own.flatMap(({ field, original, text }) =>
      text.trim() === '' ? [] : [{ locale, field, source: original, text }],
    );
    return { ...step, translations: [...kept, ...added] };
  });
  return { ...content, steps };
}

export function withoutOtherLocales(content: DraftContent): DraftContent {
  const targets = new Set(content.locales.slice(1));
  const isKept = ({ locale }: Translation) => targets.has(locale);
  if (content.steps.every(step => step.translations.every(isKept))) return content;
  return {
    ...content,
    steps: content.steps.map(step => ({ ...step, translations: step.translations.filter(isKept) })),
  };
}

export const hasLocale = ({ locales }: DraftContent, locale: string): boolean =>
  locales.some(each => each.toLowerCase() === locale.toLowerCase());

export const addLocale = (content: DraftContent, locale: string): DraftContent => ({
  ...content,
  locales: [...content.locales, locale],
});

export const removeLocale = (content: DraftContent, locale: string): DraftContent =>
  withoutOtherLocales({ ...content, locales: content.locales.filter(each => each !== locale) });

export const changeOriginalLocale = (content: DraftContent, locale: string): DraftContent => ({
  ...content,
  locales: content.locales.with(0, locale),
});
