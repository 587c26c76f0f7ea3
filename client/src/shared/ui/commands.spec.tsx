import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { commandFor, currentCommands, matches, shownKeys, useCommands, type Command } from './commands';

afterEach(cleanup);

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', true>> = {}) => ({
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  target: null,
  ...held,
  key,
});

const command = (id: string, change: Partial<Command> = {}): Command => ({
  id,
  name: id,
  group: 'Edit',
  run: () => undefined,
  ...change,
});

function Offer({ commands }: { commands: readonly Command[] }) {
  useCommands(commands);
  return null;
}

describe('keys', () => {
  it('mean the same with Control and with Command, and nothing else than they say', () => {
    expect(matches('mod+z', press('z', { ctrlKey: true }))).toBe(true);
    expect(matches('mod+z', press('z', { metaKey: true }))).toBe(true);
    expect(matches('mod+z', press('Z', { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(matches('mod+shift+z', press('Z', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(matches('mod+z', press('z'))).toBe(false);
    expect(matches('alt+pageup', press('PageUp', { altKey: true }))).toBe(true);
  });

  it('that make a character are that character, with Shift where the keyboard wants it', () => {
    expect(matches('?', press('?', { shiftKey: true }))).toBe(true);
    expect(matches('?', press('?'))).toBe(true);
  });

  it('are shown as they are printed', () => {
    expect(shownKeys('mod+shift+z')).toEqual(['Ctrl', 'Shift', 'Z']);
    expect(shownKeys('alt+pagedown')).toEqual(['Alt', 'Page ↓']);
  });

  it('find the command of the innermost screen, as long as it is there', () => {
    const { unmount } = render(
      <>
        <Offer commands={[command('outer', { keys: ['mod+s'] }), command('help', { keys: ['?'] })]} />
        <Offer commands={[command('inner', { keys: ['mod+s'] })]} />
      </>,
    );
    expect(commandFor(press('s', { ctrlKey: true }), true)?.id).toBe('inner');
    unmount();
    expect(currentCommands()).toEqual([]);
  });

  it('of one character do nothing while somebody types, or when they are turned off', () => {
    render(<Offer commands={[command('help', { keys: ['?'] })]} />);
    const field = { ...press('?'), target: document.createElement('input') };
    expect(commandFor(press('?'), true)?.id).toBe('help');
    expect(commandFor(press('?'), false)).toBeUndefined();
    expect(commandFor(field, true)).toBeUndefined();
  });
});
