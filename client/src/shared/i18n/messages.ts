/** The messages of the user interface. English is part of each screen; `language.ts` sets the other languages. */

/** The namespaces of messages. Each has one file in the folder of every language. */
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
  | 'invitation'
  | 'player'
  | 'release'
  | 'review'
  | 'segment'
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

/** Sets the messages of all namespaces; null selects English. */
export function setMessages(messages: Readonly<Record<Namespace, object>> | null): void {
  translated = messages;
}

/**
 * Defines the messages of a namespace. Reading a property returns the message in the current language, so read it while
 * rendering, never when a module is loaded.
 */
export const defineMessages = <Texts extends object>(namespace: Namespace, english: Texts): Texts =>
  new Proxy(english, { get: (texts, key) => Reflect.get(translated?.[namespace] ?? texts, key) });
