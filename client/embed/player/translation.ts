import type { PlayStep, TextField, TourLanguage } from './types';

interface Tour {
  steps: readonly PlayStep[];
  /** The first one is the language of the steps. */
  locales: readonly string[];
}

export interface LocalizedTour {
  steps: readonly PlayStep[];
  /** Null if the tour has one language. */
  language: TourLanguage | null;
}

const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)\b|-(arab|hebr|thaa)\b/i;

const primary = (tag: string) => tag.split('-', 1)[0];

/**
 * Prefers the tag itself, then its prefixes (`zh-Hant` for `zh-Hant-TW`, RFC 4647 calls this a lookup), then another
 * region of the same language.
 */
function matches(locales: readonly string[], tag: string): string[] {
  const wanted = tag.toLowerCase();
  const found = locales.filter(locale => `${wanted}-`.startsWith(`${locale.toLowerCase()}-`));
  if (found.length > 0) return found.sort((a, b) => b.length - a.length);
  return locales.filter(locale => primary(locale.toLowerCase()) === primary(wanted)).slice(0, 1);
}

/** `wanted` are the visitor's language tags; the first one that the tour has decides. */
export function localize({ steps, locales }: Tour, wanted: readonly string[]): LocalizedTour {
  const original = locales[0];
  const found = wanted.map(tag => matches(locales, tag)).find(each => each.length > 0) ?? [];
  const locale = found[0] ?? original;
  if (locales.length < 2 || !locale) return { steps, language: null };
  const language: TourLanguage = { locale, direction: RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr' };
  const chain = found.includes(original ?? '') ? found.slice(0, found.indexOf(original ?? '')) : found;
  return { steps: steps.map(step => translateStep(step, chain)), language };
}

/** Keeps the original of a text that no language of the chain has. */
function translateStep(step: PlayStep, chain: readonly string[]): PlayStep {
  function text<Original extends string | null>(field: TextField, original: Original): Original | string {
    if (!original) return original;
    for (const locale of chain) {
      const found = step.translations.find(
        each =>
          each.locale === locale &&
          each.field === field &&
          // Identifies the branch. A label that has changed must not get the translation of the previous one.
          (field !== 'BRANCH_LABEL' || each.source === original),
      );
      if (found) return found.text;
    }
    return original;
  }
  return {
    ...step,
    title: text('TITLE', step.title),
    body: text('BODY', step.body),
    nextLabel: text('NEXT_LABEL', step.nextLabel),
    previousLabel: text('PREVIOUS_LABEL', step.previousLabel),
    doneLabel: text('DONE_LABEL', step.doneLabel),
    branches: step.branches.map(branch => ({ ...branch, label: text('BRANCH_LABEL', branch.label) })),
  };
}
