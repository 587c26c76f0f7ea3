import { Slider as Radix } from 'radix-ui';
import { NumberInput } from './NumberInput';

export function Slider({
  label,
  value,
  min,
  max,
  step = 1,
  unit,
  disabled = false,
  onChange,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  unit: string;
  disabled?: boolean;
  onChange: (value: number) => void;
}) {
  return (
    <div className="flex items-center gap-3">
      <Radix.Root
        value={[value]}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        onValueChange={([next]) => next !== undefined && onChange(next)}
        className="relative flex h-8 grow touch-none items-center select-none"
      >
        <Radix.Track className="relative h-1.5 grow rounded-full bg-line">
          <Radix.Range className="absolute h-full rounded-full bg-brand" />
        </Radix.Track>
        <Radix.Thumb
          aria-label={label}
          aria-valuetext={unit ? `${value} ${unit}` : undefined}
          className="block size-5 rounded-full border-2 border-brand bg-surface shadow-card"
        />
      </Radix.Root>
      <span className="flex items-center gap-1.5">
        <NumberInput
          value={value}
          min={min}
          max={max}
          step={step}
          disabled={disabled}
          message={false}
          onChange={onChange}
          className="w-20 text-right tabular-nums"
        />
        <span className="w-6 text-sm text-muted">{unit}</span>
      </span>
    </div>
  );
}
