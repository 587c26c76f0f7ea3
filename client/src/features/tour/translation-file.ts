/** The file for translators: JSON with the original and the translation of each text, for one language. */

import type { TextField } from '../../../embed/player/types';
import { TextFieldValues } from '../../generated/rules';
import { t } from '../../shared/i18n/en/editor';
import type { DraftContent } from './draft';
import { maxLengths, translatedTexts, type NewTranslation } from './translations';

const FORMAT = 'waypost-translations-1';

interface Entry {
  step: string;
  field: TextField;
  original: string;
  translation: string;
}

export function translationFile(slug: string, content: DraftContent, locale: string): string {
  const texts = translatedTexts(content.steps, locale).map(({ step, field, original, text }): Entry => ({
    step,
    field,
    original,
    translation: text,
  }));
  return `${JSON.stringify({ format: FORMAT, tour: slug, from: content.locales[0], to: locale, texts }, null, 2)}\n`;
}

/** Has all problems, each with its place in the file. */
export type ReadTranslations =
  | { readonly translations: readonly NewTranslation[]; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

/**
 * Treats a translation as outdated if the original has changed since the export, and keeps those that are empty in the
 * file.
 */
export function readTranslations(file: string, slug: string, content: DraftContent, locale: string): ReadTranslations {
  const head = parse(file);
  if (!head) return { problems: [t.languages.import.noFile] };
  if (head.tour !== slug) return { problems: [t.languages.import.otherTour(String(head.tour), slug)] };
  if (head.to !== locale) return { problems: [t.languages.import.otherLocale(String(head.to), locale)] };

  const problems: string[] = [];
  const translations: NewTranslation[] = [];
  const expected = new Map(translatedTexts(content.steps, locale).map(each => [idOf(each), each]));
  const seen = new Set<string>();
  for (const [index, entry] of head.texts.entries()) {
    const place = `texts[${index}]`;
    if (!isEntry(entry)) {
      problems.push(t.languages.import.noEntry(place));
      continue;
    }
    const { step, field, original, translation } = entry;
    const id = idOf(entry);
    const most = maxLengths[field];
    if (!expected.has(id)) problems.push(t.languages.import.unknown(place, step, field));
    else if (seen.has(id)) problems.push(t.languages.import.twice(place, step, field));
    else if ([...translation].length > most) problems.push(t.languages.import.long(place, step, field, most));
    else if (translation.trim() !== '') translations.push({ step, field, original, text: translation });
    seen.add(id);
  }
  for (const [id, { step, field }] of expected) {
    if (!seen.has(id)) problems.push(t.languages.import.missing(step, field));
  }
  return problems.length > 0 ? { problems } : { translations };
}

/** A branch label is identified by its original, other texts by their field. */
const idOf = ({ step, field, original }: Pick<Entry, 'step' | 'field' | 'original'>): string =>
  JSON.stringify(field === 'BRANCH_LABEL' ? [step, field, original] : [step, field]);

function parse(file: string): { tour: unknown; to: unknown; texts: readonly unknown[] } | null {
  try {
    const value: unknown = JSON.parse(file);
    if (typeof value !== 'object' || value === null) return null;
    const { format, tour, to, texts } = value as Record<string, unknown>;
    return format === FORMAT && Array.isArray(texts) ? { tour, to, texts } : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { step, field, original, translation } = value as Record<string, unknown>;
  return (
    typeof step === 'string' &&
    typeof original === 'string' &&
    original !== '' &&
    typeof translation === 'string' &&
    TextFieldValues.some(each => each === field)
  );
}
