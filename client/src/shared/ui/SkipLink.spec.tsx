import { expect, it } from 'vitest';
import { fireEvent, render, screen } from '../testing';
import { SKIP_LINKS, SkipLink } from './SkipLink';

it('is at the beginning of the page and moves the focus to a control', () => {
  const container = document.createElement('div');
  container.id = SKIP_LINKS;
  document.body.prepend(container);
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
  expect(container.contains(link)).toBe(true);
  fireEvent.click(link);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add step' }));
  container.remove();
});
