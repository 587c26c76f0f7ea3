import { useId } from 'react';

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
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-control border border-line bg-sunken p-0.5"
    >
      {choices.map(choice => (
        <label
          key={choice.value}
          className="relative inline-flex min-h-8.5 cursor-pointer items-center rounded-md px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
