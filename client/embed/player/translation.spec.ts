import { expect, it } from 'vitest';
import { playStep } from './fixtures';
import { localize } from './translation';
import type { PlayTranslation, TextField } from './types';

const text = (locale: string, field: TextField, text: string, source = ''): PlayTranslation => ({
  locale,
  field,
  source,
  text,
});

const tour = {
  locales: ['en', 'de', 'de-CH', 'pt-BR', 'ar'],
  steps: [
    playStep('a', {
      title: 'Hello',
      body: 'Welcome.',
      nextLabel: 'Go',
      branches: [
        { to: null, label: 'Later', when: null },
        { to: null, label: 'Renamed', when: null },
        { to: null, label: null, when: null },
      ],
      translations: [
        text('de', 'TITLE', 'Hallo'),
        text('de-CH', 'TITLE', 'Grüezi'),
        text('de', 'BODY', 'Willkommen.'),
        text('de', 'BRANCH_LABEL', 'Später', 'Later'),
        text('de', 'BRANCH_LABEL', 'Umbenannt', 'Before'),
        // Of a text that was deleted.
        text('de', 'PREVIOUS_LABEL', 'Zurück'),
        text('pt-BR', 'TITLE', 'Olá'),
      ],
    }),
  ],
};

const shown = (...wanted: string[]) => {
  const { steps, language } = localize(tour, wanted);
  return [language?.locale, steps[0]?.title, steps[0]?.body];
};

it('uses the exact language, then the language without its region, then another region', () => {
  expect(shown('de')).toEqual(['de', 'Hallo', 'Willkommen.']);
  expect(shown('DE-ch')).toEqual(['de-CH', 'Grüezi', 'Willkommen.']);
  expect(shown('de-CH-1996')).toEqual(['de-CH', 'Grüezi', 'Willkommen.']);
  expect(shown('de-AT')).toEqual(['de', 'Hallo', 'Willkommen.']);
  expect(shown('pt')).toEqual(['pt-BR', 'Olá', 'Welcome.']);
  expect(shown('den')).toEqual(['en', 'Hello', 'Welcome.']);
});

it('uses the first language of the visitor that the tour has, or else the original', () => {
  expect(shown('sv', 'pt-PT', 'de')).toEqual(['pt-BR', 'Olá', 'Welcome.']);
  expect(shown('en-GB', 'de')).toEqual(['en', 'Hello', 'Welcome.']);
  expect(shown('sv')).toEqual(['en', 'Hello', 'Welcome.']);
  expect(shown()).toEqual(['en', 'Hello', 'Welcome.']);
});

it('keeps the original of a text without a translation, and of a label that has changed', () => {
  const [step] = localize(tour, ['de']).steps;
  expect(step?.branches.map(({ label }) => label)).toEqual(['Später', 'Renamed', null]);
  expect([step?.nextLabel, step?.previousLabel]).toEqual(['Go', null]);
});

it('has the direction of the language, and none if the tour has one language', () => {
  expect(localize(tour, ['ar-EG']).language).toEqual({ locale: 'ar', direction: 'rtl' });
  expect(localize(tour, ['de']).language?.direction).toBe('ltr');
  expect(localize({ ...tour, locales: ['en'] }, ['de']).language).toBeNull();
});
