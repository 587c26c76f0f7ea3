/** Set by `language.ts`. */
import { createStore } from '../create-store';

/** The languages, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

export const shownLanguage = createStore<Language>('en');

export const currentLanguage = (): Language => shownLanguage.get();

export const languageOf = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** Uses the region of the browser, `de-CH`. */
export const locale = (): string =>
  navigator.languages.find(tag => languageOf(tag) === currentLanguage()) ?? currentLanguage();

export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let last: { readonly locale: string; readonly made: Made } | null = null;
  return () => {
    const wanted = locale();
    if (last?.locale !== wanted) last = { locale: wanted, made: make(wanted) };
    return last.made;
  };
}
