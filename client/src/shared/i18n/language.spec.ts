import { afterEach, describe, expect, it, vi } from 'vitest';
import { textsOf } from '../../../embed/renderer/texts';
import { t } from './en/shell';
import { counted, formatDay, formatList } from './format';
import { chooseLanguage, keysOf, showLanguage, wantedLanguage } from './language';
import { languages, locale } from './locale';

const browserSpeaks = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);

afterEach(async () => {
  localStorage.clear();
  await showLanguage('en');
});

describe('the language of the interface', () => {
  it('is the first of the browser’s that there is', () => {
    browserSpeaks('la-VA', 'de-CH', 'en-GB');
    expect(wantedLanguage()).toBe('de');
    browserSpeaks('la');
    expect(wantedLanguage()).toBe('en');
  });

  it('is what was chosen, whatever the browser speaks', async () => {
    browserSpeaks('de');
    await chooseLanguage('en');
    expect(wantedLanguage()).toBe('en');
    localStorage.setItem('waypost:language', 'constructor');
    expect(wantedLanguage()).toBe('de');
  });

  it('sets the `lang` attribute for screen readers', async () => {
    await showLanguage('de');
    expect(document.documentElement.lang).toBe('de');
  });

  it('changes messages that were read before', async () => {
    expect(t.nav.settings).toBe('Settings');
    await showLanguage('de');
    expect(t.nav.settings).toBe('Einstellungen');
  });

  it('formats dates and lists for the region of the browser', async () => {
    browserSpeaks('en-GB', 'de-CH', 'de');
    expect([locale(), formatDay('2026-11-05')]).toEqual(['en-GB', '5 Nov 2026']);
    await showLanguage('de');
    expect(locale()).toBe('de-CH');
    expect([formatDay('2026-11-05'), formatList(['a', 'b', 'c'])]).toEqual(['05.11.2026', 'a, b und c']);
  });

  it('has texts for visitors, too', async () => {
    for (const language of keysOf(languages)) {
      await showLanguage(language);
      expect([language, textsOf(language) === textsOf('en')]).toEqual([language, language === 'en']);
      expect([language, t.nav.settings === 'Settings']).toEqual([language, language === 'en']);
    }
  });

  it('decides which form of a text belongs to a number', () => {
    const forms = { one: '# Schritt', other: '# Schritte' };
    expect([0, 1, 1200].map(count => counted(count, forms))).toEqual(['0 Schritte', '1 Schritt', '1,200 Schritte']);
  });
});
