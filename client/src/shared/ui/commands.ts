import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createStore } from '../create-store';
import { t } from '../i18n/en/ui';
import { isTyping } from '../lib/is-typing';
import type { IconName } from './Icon';

export interface Command {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly icon?: IconName;
  /** Such as `mod+shift+z`; the first one is displayed. `mod` is Command on a Mac, else Control. */
  readonly keys?: readonly string[];
  readonly reason?: string | null;
  /** True if the command is not in the palette. */
  readonly keysOnly?: boolean;
  /** Omitted if another component handles the keys, and the command is only listed. */
  readonly run?: () => void;
}

type Source = () => readonly Command[];

const sources = createStore<readonly Source[]>([]);

export const currentCommands = (): readonly Command[] =>
  sources
    .get()
    .toReversed()
    .flatMap(source => source());

export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
    // A copy, because the commands of a source have changed.
    sources.set([...sources.get()]);
  }, [commands]);
  useEffect(() => {
    const source = () => latest.current;
    sources.set([...sources.get(), source]);
    return () => sources.set(sources.get().filter(each => each !== source));
  }, []);
}

export function useCurrentCommands(): readonly Command[] {
  useSyncExternalStore(sources.subscribe, sources.get);
  return currentCommands();
}

const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');

interface KeyCombination {
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

function parseKeys(keys: string): KeyCombination {
  const parts = keys.split('+');
  return {
    key: parts.at(-1) ?? '',
    mod: parts.includes('mod'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
  };
}

/**
 * True for a single character. Such shortcuts can be turned off, because they interfere with dictation (WCAG 2.2,
 * 2.1.4).
 */
const isSingle = ({ key, mod, alt }: KeyCombination): boolean => key.length === 1 && !mod && !alt;

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function matches(keys: string, event: KeyPress): boolean {
  const expected = parseKeys(keys);
  const mod = event.ctrlKey || event.metaKey;
  if (event.key.toLowerCase() !== expected.key || mod !== expected.mod || event.altKey !== expected.alt) return false;
  // The layout determines if a character requires Shift.
  return isSingle(expected) || event.shiftKey === expected.shift;
}

export function commandFor(event: KeyPress & Pick<KeyboardEvent, 'target'>, singleKeys: boolean): Command | undefined {
  const typing = isTyping(event.target);
  return currentCommands().find(
    command =>
      command.run &&
      command.keys?.some(keys => matches(keys, event) && !(isSingle(parseKeys(keys)) && (typing || !singleKeys))),
  );
}

const symbols: Readonly<Record<string, string>> = {
  // Fonts of other systems do not always have these.
  ...(isMac ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' } : {}),
  arrowup: '↑',
  arrowdown: '↓',
};

export function formatKeys(keys: string): readonly string[] {
  const names: Readonly<Record<string, string>> = t.keys;
  return keys.split('+').map(key => symbols[key] ?? names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

const SINGLE_KEYS = 'waypost:single-keys';

/** True if single-character shortcuts are enabled. Stored in `localStorage` (WCAG 2.2, 2.1.4). */
export const singleKeys = createStore(globalThis.localStorage?.getItem(SINGLE_KEYS) !== 'off');

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SINGLE_KEYS);
  else localStorage.setItem(SINGLE_KEYS, 'off');
  singleKeys.set(on);
}

export const useSingleKeys = (): boolean => useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
