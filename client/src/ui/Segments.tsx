import { ToggleGroup } from 'radix-ui';
import { cx } from '../lib/class-names';

/** One choice out of a few, all visible. */
export function Segments<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: readonly { readonly value: Value; readonly label: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={next => {
        const chosen = choices.find(each => each.value === next);
        if (chosen) onChange(chosen.value);
      }}
      className="inline-flex max-w-full overflow-x-auto rounded-control border border-line bg-sunken p-0.5"
    >
      {choices.map(choice => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className={cx(
            'min-h-8 rounded-md px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink',
            'data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:shadow-card',
          )}
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
