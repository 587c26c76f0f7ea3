import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { SKIP_LINKS, SkipLink } from './SkipLink';

afterEach(cleanup);

it('stands before everything else and leads the focus to a control', () => {
  const place = document.createElement('div');
  place.id = SKIP_LINKS;
  document.body.prepend(place);
  render(
    <>
      <button type="button">Something</button>
      <button type="button" id="add">
        Add step
      </button>
      <SkipLink to="add">Skip to “Add step”</SkipLink>
    </>,
  );
  const link = screen.getByRole('link', { name: 'Skip to “Add step”' });
  expect(place.contains(link)).toBe(true);
  fireEvent.click(link);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add step' }));
  place.remove();
});
