/** Chosen on this device, else the browser's, else English. Others are loaded when needed. */
import { useSyncExternalStore } from 'react';
import { languageOf, languages, shownLanguage, type Language } from './locale';
import { setMessages, type Namespace } from './messages';

export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[];

const KEY = 'waypost:language';

/** The bundler makes one file of each language's folder. */
const folders = import.meta.glob<{ readonly messages: Readonly<Record<Namespace, object>> }>('./*/index.ts');

const isLanguage = (value: unknown): value is Language => typeof value === 'string' && Object.hasOwn(languages, value);

export function wantedLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map(languageOf).find(isLanguage) ?? 'en';
}

/** Rejects and keeps the current language if loading fails. */
export async function showLanguage(language: Language): Promise<void> {
  setMessages(language === 'en' ? null : ((await folders[`./${language}/index.ts`]?.())?.messages ?? null));
  document.documentElement.lang = language;
  shownLanguage.set(language);
}

/** Keeps the choice on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  localStorage.setItem(KEY, language);
}

export const useLanguage = (): Language => useSyncExternalStore(shownLanguage.subscribe, shownLanguage.get);
