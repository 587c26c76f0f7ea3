/** The tooltip of a button: its delay, its end, and the button's focus when the text changes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { act, cleanup, fireEvent, render, screen } from '../testing';
import { IconButton } from './Button';

const DELAY_MS = 250;

describe('the tooltip of a button', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('appears after a delay, and disappears with the pointer', () => {
    render(<IconButton label="Undo" hint="Ctrl Z" icon="undo" />);
    const button = screen.getByRole('button', { name: 'Undo' });
    fireEvent.pointerEnter(button);
    expect(screen.queryByRole('tooltip')).toBeNull();
    act(() => void vi.advanceTimersByTime(DELAY_MS));
    expect(screen.getByRole('tooltip').textContent).toBe('Undo (Ctrl Z)');
    fireEvent.pointerLeave(button);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('does not appear if its time comes before React has rendered that the pointer left', () => {
    render(<IconButton label="Undo" icon="undo" />);
    const button = screen.getByRole('button', { name: 'Undo' });
    fireEvent.pointerEnter(button);
    act(() => {
      button.dispatchEvent(new MouseEvent('pointerout', { bubbles: true, relatedTarget: document.body }));
      vi.advanceTimersByTime(DELAY_MS);
    });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('keeps the focus when the button gets a reason', () => {
    const { rerender } = render(<IconButton label="Undo" icon="undo" />);
    const button = screen.getByRole('button', { name: 'Undo' });
    button.focus();
    rerender(<IconButton label="Undo" icon="undo" reason="Nothing to undo." />);
    expect(document.activeElement).toBe(button);
    fireEvent.pointerEnter(button);
    act(() => void vi.advanceTimersByTime(DELAY_MS));
    expect(screen.getByRole('tooltip').textContent).toBe('Nothing to undo.');
  });
});
