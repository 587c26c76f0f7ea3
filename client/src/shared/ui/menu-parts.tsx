/** Radix's DropdownMenu, imported by `Menu.tsx` only. */
import { DropdownMenu as Radix } from 'radix-ui';
import { useState, type ReactElement, type ReactNode } from 'react';
import { cx } from '../lib/class-names';
import { Icon, type IconName } from './Icon';

const itemStyle =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-left outline-none data-[highlighted]:bg-sunken';

/** `Menu.tsx` loads the menu when the user opens the first one, so it is open initially. */
export function OpenMenu({
  trigger,
  align,
  children,
}: {
  trigger: ReactElement;
  align: 'start' | 'end';
  children: ReactNode;
}) {
  const [open, setOpen] = useState(true);
  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({
  icon,
  danger = false,
  reason,
  onSelect,
  children,
}: {
  icon?: IconName;
  danger?: boolean;
  /** Shown below the disabled item. */
  reason?: string | null | undefined;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Radix.Item
      onSelect={event => {
        if (reason) event.preventDefault();
        else onSelect();
      }}
      aria-disabled={reason ? true : undefined}
      className={cx(itemStyle, danger && 'text-danger')}
    >
      {icon ? <Icon name={icon} className="size-4" /> : null}
      <span className="grid">
        <span className={cx(Boolean(reason) && 'text-muted')}>{children}</span>
        {reason ? <span className="max-w-60 text-xs text-muted">{reason}</span> : null}
      </span>
    </Radix.Item>
  );
}

export function MenuChoices({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly { value: string; label: string; icon?: IconName; lang?: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <Radix.RadioGroup value={value}>
        {choices.map(choice => (
          <Radix.RadioItem
            key={choice.value}
            value={choice.value}
            onSelect={() => onChange(choice.value)}
            className={itemStyle}
          >
            {choice.icon ? <Icon name={choice.icon} className="size-4" /> : null}
            <span lang={choice.lang} className="grow">
              {choice.label}
            </span>
            <Radix.ItemIndicator>
              <Icon name="check" className="size-4" />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export function MenuLink({ children }: { children: ReactElement }) {
  return (
    <Radix.Item asChild className={itemStyle}>
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
