/**
 * The language of the interface: the one that was chosen on this device, else the first of the browser's languages that there is,
 * else English. English comes with each screen; the other languages are one file each, loaded when they are wanted.
 */
import { useSyncExternalStore } from 'react';
import type { german } from './german';

/** Each language by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[];

type Catalogues = typeof german;

const KEY = 'waypost:language';
const load: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Catalogues>>> = {
  de: async () => (await import('./german')).german,
};

let shown: Language = 'en';
let catalogues: Catalogues | null = null;
const listeners = new Set<() => void>();

const isLanguage = (value: unknown): value is Language => typeof value === 'string' && Object.hasOwn(languages, value);
const languageOf = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** What this device wants. */
export function wantedLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map(languageOf).find(isLanguage) ?? 'en';
}

/** Shows the interface in a language. Where its texts cannot be loaded, everything stays as it is, and the promise fails. */
export async function showLanguage(language: Language): Promise<void> {
  catalogues = language === 'en' ? null : await load[language]();
  shown = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Shows a language, and keeps the choice on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  localStorage.setItem(KEY, language);
}

export const currentLanguage = (): Language => shown;

export const useLanguage = (): Language =>
  useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);

/** The tag for dates and numbers: the language as the browser has it, `de-CH`, so that a region keeps its habits. */
export const locale = (): string => navigator.languages.find(tag => languageOf(tag) === shown) ?? shown;

/** Something of `Intl`, made once for each locale. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let last: { readonly locale: string; readonly made: Made } | null = null;
  return () => {
    const wanted = locale();
    if (last?.locale !== wanted) last = { locale: wanted, made: make(wanted) };
    return last.made;
  };
}

/**
 * The texts of one area, in the language that is shown when one is read: so they are read while something is drawn or said,
 * never when a module is loaded.
 */
export const catalogue = <Texts extends object>(area: keyof Catalogues, english: Texts): Texts =>
  new Proxy(english, { get: (texts, key) => Reflect.get(catalogues?.[area] ?? texts, key) });
