/** English is part of each screen; `language.ts` sets the other languages. */

/** One file in each language's folder. */
export type Namespace =
  | 'audit'
  | 'auth'
  | 'common'
  | 'demo'
  | 'editor'
  | 'errors'
  | 'explain'
  | 'fields'
  | 'insights'
  | 'accessToken'
  | 'invitation'
  | 'player'
  | 'release'
  | 'review'
  | 'segment'
  | 'settings'
  | 'shell'
  | 'shop'
  | 'site'
  | 'steps'
  | 'templates'
  | 'theme'
  | 'tour'
  | 'ui'
  | 'visitor'
  | 'workspace';

let translated: Readonly<Record<Namespace, object>> | null = null;

export function setMessages(messages: Readonly<Record<Namespace, object>> | null): void {
  translated = messages;
}

/** Read a message while rendering, never when a module is loaded. */
export const defineMessages = <Texts extends object>(namespace: Namespace, english: Texts): Texts =>
  new Proxy(english, { get: (texts, key) => Reflect.get(translated?.[namespace] ?? texts, key) });
