import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** Parts of one panel. For parts of a page that have their own address, use links (`ui/LinkTabs`). */
export function Tabs({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: readonly { readonly value: string; readonly title: ReactNode; readonly content: ReactNode }[];
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(tab => (
          <Radix.Trigger key={tab.value} value={tab.value} className={tabStyle}>
            {tab.title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        <Radix.Content key={tab.value} value={tab.value} tabIndex={-1} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

export const tabStyle =
  '-mb-px inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-brand data-[state=active]:text-ink data-[status=active]:border-brand data-[status=active]:text-ink';
