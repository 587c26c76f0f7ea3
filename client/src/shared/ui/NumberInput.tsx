import { useState, type InputHTMLAttributes } from 'react';
import { t } from '../i18n/en/errors';
import { cx } from '../lib/class-names';
import { Input } from './Field';

type Rest = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'value' | 'min' | 'max' | 'onChange' | 'onBlur'>;

/**
 * Between two bounds. While typing, `onChange` gets numbers in range only. On blur or Enter, numbers are clamped, and
 * invalid texts replaced. A message below names the bounds while a number is out of range, and after it was clamped,
 * unless `message` is false.
 */
export function NumberInput({
  value,
  min,
  max,
  message = true,
  onChange,
  ...rest
}: Rest & { value: number; min: number; max: number; message?: boolean; onChange: (value: number) => void }) {
  // Null shows the value.
  const [text, setText] = useState<string | null>(null);
  // `value` changed elsewhere, so the typed text is outdated.
  const [changed, setChanged] = useState<number | null>(null);
  const [clamped, setClamped] = useState<number | null>(null);
  const [previousValue, setPreviousValue] = useState(value);
  if (value !== previousValue) {
    setPreviousValue(value);
    setChanged(null);
    if (changed === null) setText(null);
    if (value !== clamped) setClamped(null);
  }
  const typed = text === null || text === '' ? null : Number(text);
  const outOfRange = typed !== null && (typed < min || typed > max);
  const commit = () => {
    if (typed !== null && outOfRange) {
      const next = Math.min(max, Math.max(min, typed));
      setClamped(next);
      onChange(next);
    }
    setText(null);
  };
  return (
    <>
      <Input
        {...rest}
        {...(outOfRange ? { 'aria-invalid': true } : {})}
        type="number"
        min={min}
        max={max}
        value={text ?? value}
        onChange={event => {
          setText(event.target.value);
          setClamped(null);
          const next = event.target.valueAsNumber;
          if (next < min || next > max || Number.isNaN(next) || next === value) return;
          setChanged(next);
          onChange(next);
        }}
        onBlur={commit}
        onKeyDown={event => {
          if (event.key === 'Enter') commit();
        }}
      />
      {message && (outOfRange || clamped !== null) ? (
        <p role="alert" className={cx('text-sm', outOfRange ? 'text-danger' : 'text-muted')}>
          {t.outOfRange(min, max)}
        </p>
      ) : null}
    </>
  );
}
