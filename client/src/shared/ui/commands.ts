/**
 * What can be done on the screen by name or by keys: screens say so here, and the command palette, the list of
 * shortcuts and the keyboard all read it. One list, so that none of them can promise what another does not do.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../i18n/en/ui';
import type { IconName } from './Icon';

export interface Command {
  readonly id: string;
  readonly name: string;
  /** The heading under which it is listed. */
  readonly group: string;
  readonly icon?: IconName;
  /** As in `mod+shift+z`, the first one to be shown. `mod` is Command on a Mac and Control elsewhere. */
  readonly keys?: readonly string[];
  /** Why it cannot be done now. */
  readonly reason?: string | null;
  /** Left out of the palette, for what makes sense by its keys only. */
  readonly keysOnly?: boolean;
  /** Without it, the keys are handled where `group` says, and only listed here. */
  readonly run?: () => void;
}

type Source = () => readonly Command[];

let sources: readonly Source[] = [];
let version = 0;
const listeners = new Set<() => void>();

function changed(): void {
  version += 1;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What can be done now, of the innermost screen first. */
export const currentCommands = (): readonly Command[] => sources.toReversed().flatMap(source => source());

/** Offers commands for as long as the component is there. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
    changed();
  }, [commands]);
  useEffect(() => {
    const source = () => latest.current;
    sources = [...sources, source];
    changed();
    return () => {
      sources = sources.filter(each => each !== source);
      changed();
    };
  }, []);
}

/** All commands, kept current. */
export function useCurrentCommands(): readonly Command[] {
  useSyncExternalStore(subscribe, () => version);
  return currentCommands();
}

const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');

interface Stroke {
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

function strokeOf(keys: string): Stroke {
  const parts = keys.split('+');
  return {
    key: parts.at(-1) ?? '',
    mod: parts.includes('mod'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
  };
}

/** A single character would be lost to whoever types or dictates it, so it can be turned off (WCAG 2.2, 2.1.4). */
const isSingle = ({ key, mod, alt }: Stroke): boolean => key.length === 1 && !mod && !alt;

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function matches(keys: string, event: KeyPress): boolean {
  const stroke = strokeOf(keys);
  const mod = event.ctrlKey || event.metaKey;
  if (event.key.toLowerCase() !== stroke.key || mod !== stroke.mod || event.altKey !== stroke.alt) return false;
  // Where a character is on the keyboard decides whether Shift belongs to it.
  return isSingle(stroke) || event.shiftKey === stroke.shift;
}

/** The command that these keys mean here and now. */
export function commandFor(event: KeyPress & Pick<KeyboardEvent, 'target'>, singleKeys: boolean): Command | undefined {
  const typing = isTyping(event.target);
  return currentCommands().find(
    command =>
      command.run &&
      command.keys?.some(keys => matches(keys, event) && !(isSingle(strokeOf(keys)) && (typing || !singleKeys))),
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const symbols: Readonly<Record<string, string>> = {
  ...(isMac ? { mod: '⌘', shift: '⇧', alt: '⌥' } : {}),
  enter: '↵',
  arrowup: '↑',
  arrowdown: '↓',
};

/** The keys as they are printed on the keyboards of the language, one text for each. */
export function shownKeys(keys: string): readonly string[] {
  const names: Readonly<Record<string, string>> = t.keys;
  return keys.split('+').map(key => symbols[key] ?? names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

const SINGLE_KEYS = 'waypost:single-keys';
const singleKeysListeners = new Set<() => void>();

/** Whether shortcuts of a single character work. Kept on the device (WCAG 2.2, 2.1.4: they can be turned off). */
export const singleKeys = (): boolean => globalThis.localStorage?.getItem(SINGLE_KEYS) !== 'off';

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SINGLE_KEYS);
  else localStorage.setItem(SINGLE_KEYS, 'off');
  for (const listener of singleKeysListeners) listener();
}

export const useSingleKeys = (): boolean =>
  useSyncExternalStore(listener => {
    singleKeysListeners.add(listener);
    return () => singleKeysListeners.delete(listener);
  }, singleKeys);
