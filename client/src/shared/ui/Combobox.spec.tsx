import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../testing';
import { Combobox, type ComboboxOption } from './Combobox';

const tours = ['Apples', 'Basics', 'Cart'].map(name => ({ id: name.toLowerCase(), name }));

function Picker({
  onChange,
  busy = false,
  more = null,
}: {
  onChange: (option: ComboboxOption) => void;
  busy?: boolean;
  more?: string | null;
}) {
  const [text, setText] = useState('');
  return (
    <Combobox
      label="Tours"
      value={tours[1] ?? null}
      options={tours.filter(({ name }) => name.toLowerCase().includes(text))}
      busy={busy}
      placeholder="Search"
      nothing="None"
      more={more}
      onSearch={setText}
      onChange={onChange}
    />
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox');
const names = () => screen.queryAllByRole('option').map(option => option.textContent);

it('shows the value, lists all options when it opens, and searches', () => {
  render(<Picker onChange={vi.fn<() => void>()} more="9 more" />);
  expect(field().value).toBe('Basics');
  expect(names()).toEqual([]);
  fireEvent.click(field());
  expect(names()).toEqual(['Apples', 'Basics', 'Cart']);
  expect(screen.getByText('9 more')).toBeTruthy();
  fireEvent.change(field(), { target: { value: 'car' } });
  expect(names()).toEqual(['Cart']);
  fireEvent.change(field(), { target: { value: 'x' } });
  expect(screen.getByText('None')).toBeTruthy();
  fireEvent.blur(field());
  expect(field().value).toBe('Basics');
});

it('chooses with the keyboard, and not before the options are those of the text', () => {
  const onChange = vi.fn<(option: ComboboxOption) => void>();
  const { rerender } = render(<Picker onChange={onChange} busy />);
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  const active = () => field().getAttribute('aria-activedescendant');
  expect(active()).toBe(screen.getByRole('option', { name: 'Basics' }).id);
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  expect(active()).toBe(screen.getByRole('option', { name: 'Cart' }).id);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(onChange).not.toHaveBeenCalled();
  rerender(<Picker onChange={onChange} />);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(onChange).toHaveBeenCalledWith(tours[2]);
  expect(names()).toEqual([]);
});

it('closes with Escape, without closing the dialog around it', () => {
  const onEscape = vi.fn<() => void>();
  render(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for a dialog
    <div onKeyDown={onEscape}>
      <Picker onChange={vi.fn<() => void>()} />
    </div>,
  );
  fireEvent.click(field());
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(names()).toEqual([]);
  expect(onEscape).not.toHaveBeenCalled();
});
