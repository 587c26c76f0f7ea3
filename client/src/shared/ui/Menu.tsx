/**
 * Non-modal.
 *
 * Loaded when the pointer or the focus reaches the first trigger.
 */
import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react';
import type { IconName } from './Icon';

const load = () => import('./menu-parts');
const part = <Name extends keyof Awaited<ReturnType<typeof load>>>(name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const OpenMenu = part('OpenMenu');
const Choices = part('MenuChoices');

export const MenuItem = part('MenuItem');
/** `children` is the link element. */
export const MenuLink = part('MenuLink');
export const MenuLabel = part('MenuLabel');
export const MenuSeparator = part('MenuSeparator');

interface TriggerProps {
  onClick?: () => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  onKeyDown?: (event: { key: string; preventDefault: () => void }) => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactElement<TriggerProps>;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  // The loaded implementation then handles the trigger.
  const [opened, setOpened] = useState(false);
  const preload = () => void load();
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setOpened(true),
    onKeyDown: event => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      setOpened(true);
    },
  });
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={trigger} align={align}>
        {children}
      </OpenMenu>
    </Suspense>
  );
}

export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: readonly {
    readonly value: Value;
    readonly label: string;
    readonly icon?: IconName;
    readonly lang?: string;
  }[];
  onChange: (value: Value) => void;
}) {
  return (
    <Choices
      label={label}
      value={value}
      choices={choices}
      onChange={next => {
        const chosen = choices.find(each => each.value === next);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}
