import { describe, expect, it } from 'vitest';
import { render } from '../testing';
import { commandFor, currentCommands, matches, formatKeys, useCommands, type Command } from './commands';

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

function Commands({ commands }: { commands: readonly Command[] }) {
  useCommands(commands);
  return null;
}

describe('keys', () => {
  it('match Control and Command, and only the given modifiers', () => {
    expect(matches('mod+z', press('z', { ctrlKey: true }))).toBe(true);
    expect(matches('mod+z', press('z', { metaKey: true }))).toBe(true);
    expect(matches('mod+z', press('Z', { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(matches('mod+shift+z', press('Z', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(matches('mod+z', press('z'))).toBe(false);
    expect(matches('alt+pageup', press('PageUp', { altKey: true }))).toBe(true);
  });

  it('for a character ignore Shift, because the keyboard layout may require it', () => {
    expect(matches('?', press('?', { shiftKey: true }))).toBe(true);
    expect(matches('?', press('?'))).toBe(true);
  });

  it('are displayed with the labels of the keyboard', () => {
    expect(formatKeys('mod+shift+z')).toEqual(['Ctrl', 'Shift', 'Z']);
    expect(formatKeys('alt+pagedown')).toEqual(['Alt', 'Page ↓']);
    expect(formatKeys('mod+enter')).toEqual(['Ctrl', 'Enter']);
  });

  it('run the command of the innermost screen while it is mounted', () => {
    const { unmount } = render(
      <>
        <Commands commands={[command('outer', { keys: ['mod+s'] }), command('help', { keys: ['?'] })]} />
        <Commands commands={[command('inner', { keys: ['mod+s'] })]} />
      </>,
    );
    expect(commandFor(press('s', { ctrlKey: true }), true)?.id).toBe('inner');
    unmount();
    expect(currentCommands()).toEqual([]);
  });

  it('for a single character are ignored while the user types or if they are turned off', () => {
    render(<Commands commands={[command('help', { keys: ['?'] })]} />);
    const field = { ...press('?'), target: document.createElement('input') };
    expect(commandFor(press('?'), true)?.id).toBe('help');
    expect(commandFor(press('?'), false)).toBeUndefined();
    expect(commandFor(field, true)).toBeUndefined();
  });
});
