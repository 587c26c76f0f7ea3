import { useEffect, useRef, type ReactNode } from 'react';
import { cx } from '../lib/class-names';

/** An option of a list whose text field keeps the focus and handles the keys. */
export function ListOption({
  id,
  active,
  selected,
  disabled = false,
  onHover,
  onChoose,
  children,
}: {
  id: string;
  active: boolean;
  selected: boolean;
  disabled?: boolean;
  onHover: () => void;
  onChoose: () => void;
  children: ReactNode;
}) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={selected}
      aria-disabled={disabled || undefined}
      onPointerMove={onHover}
      // The field would lose the focus, and close its list before the click.
      onPointerDown={event => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-2 aria-disabled:cursor-not-allowed',
        active && 'bg-brand-soft',
      )}
    >
      {children}
    </div>
  );
}
