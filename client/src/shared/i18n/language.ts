/**
 * The language of the interface: the one that was chosen on this device, else the first of the browser's languages that there is,
 * else English. English comes with each screen; the other languages are one file each, loaded when they are wanted.
 */
import { useSyncExternalStore } from 'react';
import { currentLanguage, languageOf, languages, setLanguage, subscribe, type Language } from './locale';
import { setMessages, type Namespace } from './messages';

export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[];

const KEY = 'waypost:language';
const load: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Readonly<Record<Namespace, object>>>>> = {
  de: async () => (await import('./de')).german,
};

const isLanguage = (value: unknown): value is Language => typeof value === 'string' && Object.hasOwn(languages, value);

/** What this device wants. */
export function wantedLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map(languageOf).find(isLanguage) ?? 'en';
}

/** Shows the interface in a language. Where its texts cannot be loaded, everything stays as it is, and the promise fails. */
export async function showLanguage(language: Language): Promise<void> {
  setMessages(language === 'en' ? null : await load[language]());
  document.documentElement.lang = language;
  setLanguage(language);
}

/** Shows a language, and keeps the choice on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  localStorage.setItem(KEY, language);
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);
