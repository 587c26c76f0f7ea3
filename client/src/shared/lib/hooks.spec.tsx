import { useRef, type RefObject } from 'react';
import { expect, it } from 'vitest';
import { render, screen } from '../testing';
import { useFocusAfter } from './hooks';

function Item({ name, next }: { name: string; next: RefObject<HTMLElement | null> }) {
  const item = useRef<HTMLLIElement>(null);
  useFocusAfter(item, next);
  return (
    <li ref={item}>
      <button type="button">{name}</button>
    </li>
  );
}

function List({ names }: { names: readonly string[] }) {
  const next = useRef<HTMLDivElement>(null);
  return (
    <>
      <ul>
        {names.map(name => (
          <Item key={name} name={name} next={next} />
        ))}
      </ul>
      <div ref={next}>
        <button type="button">Write</button>
      </div>
    </>
  );
}

it('moves the focus when the focused item is removed', () => {
  const { rerender } = render(<List names={['first', 'second']} />);
  screen.getByText('first').focus();
  rerender(<List names={['second']} />);
  expect(document.activeElement).toBe(screen.getByText('Write'));
});

it('keeps the focus when another item is removed', () => {
  const { rerender } = render(<List names={['first', 'second']} />);
  screen.getByText('first').focus();
  rerender(<List names={['first']} />);
  expect(document.activeElement).toBe(screen.getByText('first'));
});
