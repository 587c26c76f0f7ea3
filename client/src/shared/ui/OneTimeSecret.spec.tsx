import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../testing';
import { Dialog } from './Dialog';
import { OneTimeSecret } from './OneTimeSecret';

const texts = { label: 'Token', copy: 'Copy token', done: 'Done' };

async function show() {
  const onDone = vi.fn<() => void>();
  render(
    <Dialog open onOpenChange={onDone} title="Copy this">
      <OneTimeSecret value="wp_secret" texts={texts} onDone={onDone} />
    </Dialog>,
  );
  return { onDone, field: await screen.findByLabelText<HTMLInputElement>('Token') };
}

it('asks once before it closes without a copy, however the dialog is closed', async () => {
  const { onDone } = await show();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onDone).not.toHaveBeenCalled();
  expect(screen.getByRole('alert').textContent).toContain('You haven’t copied it yet');
  fireEvent.click(screen.getByRole('button', { name: 'Close without copying' }));
  expect(onDone).toHaveBeenCalledOnce();
});

it('closes at once after the text was copied by hand', async () => {
  const { onDone, field } = await show();
  expect(field.selectionDirection).toBe('backward');
  fireEvent.copy(field);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(onDone).toHaveBeenCalledOnce();
});
