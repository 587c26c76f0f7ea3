/** The texts of the interface in the language that is shown. English comes with each screen; others are set by `language.ts`. */

/** The areas of the interface, a file for each in `en/` and in the folder of every other language. */
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

/** Replaces the texts of all areas; null for English. */
export function setMessages(messages: Readonly<Record<Namespace, object>> | null): void {
  translated = messages;
}

/**
 * The texts of one area, in the language that is shown when one is read: so they are read while something is drawn or said,
 * never when a module is loaded.
 */
export const defineMessages = <Texts extends object>(namespace: Namespace, english: Texts): Texts =>
  new Proxy(english, { get: (texts, key) => Reflect.get(translated?.[namespace] ?? texts, key) });
