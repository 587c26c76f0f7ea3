import { afterAll, describe, expect, it } from 'vitest';
import { plainText } from '../../../embed/player/markdown';
import { keysOf, showLanguage } from '../../shared/i18n/language';
import { languages } from '../../shared/i18n/locale';
import { checkContent } from './draft';
import { templates } from './templates';

afterAll(() => showLanguage('en'));

const shapeOf = () =>
  templates().map(({ content }) => content?.steps.map(({ kind, target, side }) => ({ kind, target, side })));

describe.each(keysOf(languages))('the templates in the language %s', language => {
  it('are valid, short, and have the same steps as in English', async () => {
    await showLanguage('en');
    const english = shapeOf();
    await showLanguage(language);
    for (const { name, content } of templates()) {
      if (!content) continue;
      expect(checkContent({ ...content, locales: [language] }), name).toEqual([]);
      expect(content.steps.length, name).toBeLessThanOrEqual(7);
      for (const step of content.steps) expect(plainText(step.body).length, step.title).toBeLessThan(200);
    }
    expect(shapeOf()).toEqual(english);
  });
});
