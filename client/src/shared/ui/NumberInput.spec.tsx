import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../testing';
import { Field } from './Field';
import { NumberInput } from './NumberInput';

function setUp() {
  const onChange = vi.fn();
  function Box() {
    const [value, setValue] = useState(5);
    const change = (next: number) => {
      onChange(next);
      setValue(next);
    };
    return (
      <>
        <Field label="Seconds">
          <NumberInput value={value} min={2} max={30} onChange={change} />
        </Field>
        <button onClick={() => setValue(7)}>Seven</button>
      </>
    );
  }
  render(<Box />);
  const box = screen.getByLabelText<HTMLInputElement>('Seconds');
  const type = (text: string) => fireEvent.input(box, { target: { value: text } });
  return { box, type, onChange };
}

it('can be empty while the user types another number', () => {
  const { box, type, onChange } = setUp();
  type('');
  expect(box.value).toBe('');
  expect(onChange).not.toHaveBeenCalled();
  type('1');
  expect(box.value).toBe('1');
  expect(onChange).not.toHaveBeenCalled();
  type('12');
  expect(onChange.mock.calls).toEqual([[12]]);
  fireEvent.blur(box);
  expect(box.value).toBe('12');
});

it('restores the last number on blur if it is empty', () => {
  const { box, type, onChange } = setUp();
  type('');
  fireEvent.blur(box);
  expect(box.value).toBe('5');
  expect(onChange).not.toHaveBeenCalled();
});

it('marks a number out of range, clamps it on blur or Enter, and explains both', () => {
  const { box, type, onChange } = setUp();
  const message = () => screen.queryByRole('alert')?.textContent;
  expect(message()).toBeUndefined();
  type('99');
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(message()).toBe('Must be between 2 and 30.');
  fireEvent.blur(box);
  expect(box.value).toBe('30');
  expect(box.getAttribute('aria-invalid')).toBeNull();
  expect(message()).toBe('Must be between 2 and 30.');
  type('1');
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(box.value).toBe('2');
  expect(box.getAttribute('aria-invalid')).toBeNull();
  expect(message()).toBe('Must be between 2 and 30.');
  type('3');
  expect(message()).toBeUndefined();
  expect(onChange.mock.calls).toEqual([[30], [2], [3]]);
});

it('shows a value that changes elsewhere', () => {
  const { box, type } = setUp();
  type('99');
  fireEvent.blur(box);
  fireEvent.click(screen.getByRole('button', { name: 'Seven' }));
  expect(box.value).toBe('7');
  expect(screen.queryByRole('alert')).toBeNull();
});
