import { describe, expect, it } from 'vitest';
import { differences, merge } from './difference';
import { defaultStart, type DraftContent } from './draft';
import { draftStep as step } from './fixtures';
import { readTranslations, translationFile } from './translation-file';
import { addLocale, changeOriginalLocale, removeLocale, translate, translatedTexts } from './translations';

const branch = (label: string | null) => ({ to: null, label, when: null });

const draft: DraftContent = {
  steps: [
    step('a', { title: 'Hello', body: '', branches: [branch('Yes'), branch('No'), branch(null)] }),
    step('wait', { kind: 'WAIT', title: 'Not visible' }),
  ],
  start: defaultStart,
  themeId: null,
  locales: ['en', 'de'],
};

const german = translate(draft, 'de', [
  { step: 'a', field: 'TITLE', original: 'Hello', text: 'Hallo' },
  { step: 'a', field: 'BRANCH_LABEL', original: 'No', text: 'Nein' },
]);

const states = (content: DraftContent, locale = 'de') =>
  translatedTexts(content.steps, locale).map(({ original, text, state }) => `${original}: ${text || '-'} ${state}`);

interface File {
  texts: object[];
}
const exported = (content = german): File => JSON.parse(translationFile('hello', content, 'de')) as File;
const read = (file: object, content = german) => readTranslations(JSON.stringify(file), 'hello', content, 'de');

describe('translations', () => {
  it('are of the visible texts, missing at first, and outdated when the original changes', () => {
    expect(states(draft)).toEqual(['Hello: - missing', 'Yes: - missing', 'No: - missing']);
    const [first] = german.steps;
    const changed = { ...german, steps: [{ ...step('a'), ...first, title: 'Hi', branches: [branch('Nope')] }] };
    expect(states(changed)).toEqual(['Hi: Hallo outdated', 'Nope: - missing']);
    const again = translate(changed, 'de', [{ step: 'a', field: 'TITLE', original: 'Hi', text: 'Hallo' }]);
    expect(states(again)[0]).toBe('Hi: Hallo translated');
    expect(again.steps[0]?.translations).toHaveLength(1);
  });

  it('are removed by an empty text, and with their language', () => {
    expect(states(translate(german, 'de', [{ step: 'a', field: 'TITLE', original: 'Hello', text: ' ' }]))[0]).toBe(
      'Hello: - missing',
    );
    const removed = removeLocale(addLocale(german, 'fr'), 'de');
    expect(removed.locales).toEqual(['en', 'fr']);
    expect(removed.steps[0]?.translations).toEqual([]);
    expect(changeOriginalLocale(german, 'en-GB').locales).toEqual(['en-GB', 'de']);
  });

  it('into a language that the other side removed are not merged', () => {
    const mine = removeLocale(german, 'de');
    const theirs = translate(german, 'de', [{ step: 'a', field: 'TITLE', original: 'Hello', text: 'Servus' }]);
    const merged = merge(mine, theirs, differences(german, mine, theirs), { 'step:a.translations': 'theirs' });
    expect(merged.locales).toEqual(['en']);
    expect(merged.steps[0]?.translations).toEqual([]);
  });
});

describe('the file for translators', () => {
  it('can be imported, and keeps existing translations of empty texts', () => {
    const file = exported(draft);
    file.texts = file.texts.map((text, index) => (index === 1 ? { ...text, translation: 'Ja' } : text));
    const { translations } = read(file) as { translations: Parameters<typeof translate>[2] };
    expect(states(translate(german, 'de', translations))).toEqual([
      'Hello: Hallo translated',
      'Yes: Ja translated',
      'No: Nein translated',
    ]);
  });

  it('with an original that has changed since the export makes an outdated translation', () => {
    const file = exported();
    const changed = {
      ...german,
      steps: german.steps.map(each => (each.key === 'a' ? { ...each, title: 'Hi' } : each)),
    };
    const { translations } = read(file, changed) as { translations: Parameters<typeof translate>[2] };
    expect(states(translate(changed, 'de', translations))[0]).toBe('Hi: Hallo outdated');
  });

  it('reports all problems by place', () => {
    const [title, yes, no] = exported().texts;
    const texts = [title, title, { ...yes, step: 'b' }, { ...no, translation: 'x'.repeat(31) }, { step: 'a' }];
    expect(read({ ...exported(), texts }).problems).toEqual([
      'texts[1]: TITLE of step “a” is in the file twice.',
      'texts[2]: this tour has no text BRANCH_LABEL in step “b”.',
      'texts[3]: BRANCH_LABEL of step “a” has more than 30 characters.',
      'texts[4]: needs “step”, “field”, “original” and “translation”.',
      'texts: BRANCH_LABEL of step “a” is missing.',
    ]);
    expect(read({ ...exported(), to: 'fr' }).problems).toEqual(['to: the file is for the language fr, not de.']);
    expect(read({ ...exported(), tour: 'other' }).problems).toHaveLength(1);
    for (const broken of ['', '[]', 'null', '{"texts":[]}'])
      expect(readTranslations(broken, 'hello', german, 'de').problems).toHaveLength(1);
  });
});
