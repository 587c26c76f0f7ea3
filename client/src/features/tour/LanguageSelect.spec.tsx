import { useState } from 'react';
import { expect, it } from 'vitest';
import { fireEvent, render, screen } from '../../shared/testing';
import { Field } from '../../shared/ui/Field';
import { LANGUAGES, LanguageSelect } from './LanguageSelect';

function Example({ initial }: { initial: string }) {
  const [tag, setTag] = useState(initial);
  return (
    <Field label="Language">
      <LanguageSelect value={tag} onChange={setTag} />
      <output>{tag}</output>
    </Field>
  );
}

it('offers languages by name in the order of their names', () => {
  render(<Example initial="de-CH" />);
  const select = screen.getByLabelText<HTMLSelectElement>('Language');
  expect(select.selectedOptions[0]?.text).toBe('Swiss High German (de-CH)');
  const names = [...select.options].map(each => each.text).slice(0, -1);
  expect(names).toHaveLength(LANGUAGES.length);
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
});

it('accepts every other language as a tag', () => {
  render(<Example initial="en" />);
  fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'other' } });
  fireEvent.change(screen.getByLabelText('Language tag'), { target: { value: 'de-LI' } });
  expect(screen.getByRole('status').textContent).toBe('de-LI');
});

it('shows a language that is not in the list as a tag', () => {
  render(<Example initial="rm" />);
  expect(screen.getByLabelText<HTMLInputElement>('Language tag').value).toBe('rm');
});
