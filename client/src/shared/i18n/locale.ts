/** Set by `language.ts`. */

/** By its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

let shown: Language = 'en';
const listeners = new Set<() => void>();

export function setLanguage(language: Language): void {
  shown = language;
  for (const listener of listeners) listener();
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentLanguage = (): Language => shown;

export const languageOf = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** Uses the region of the browser, `de-CH`. */
export const locale = (): string => navigator.languages.find(tag => languageOf(tag) === shown) ?? shown;

export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let last: { readonly locale: string; readonly made: Made } | null = null;
  return () => {
    const wanted = locale();
    if (last?.locale !== wanted) last = { locale: wanted, made: make(wanted) };
    return last.made;
  };
}
