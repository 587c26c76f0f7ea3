import { useState, type InputHTMLAttributes } from 'react';
import { Input } from './Field';

type Rest = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'value' | 'min' | 'max' | 'onChange' | 'onBlur'>;

/**
 * A number between two bounds, typed. The text is its own while somebody types, so it may be empty or half a number
 * on the way; only numbers between the bounds are handed over. On leaving, or with Enter, a number beyond a bound
 * becomes the bound, and anything else becomes the last number again.
 */
export function NumberInput({
  value,
  min,
  max,
  onChange,
  ...rest
}: Rest & { value: number; min: number; max: number; onChange: (value: number) => void }) {
  // Null while nobody types: the box then follows the value.
  const [text, setText] = useState<string | null>(null);
  // What was handed over is on its way back; any other value comes from somewhere else, and what is typed is outdated.
  const [handed, setHanded] = useState<number | null>(null);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setHanded(null);
    if (handed === null) setText(null);
  }
  const typed = text === null || text === '' ? null : Number(text);
  const beyond = typed !== null && (typed < min || typed > max);
  const settle = () => {
    if (typed !== null && beyond) onChange(Math.min(max, Math.max(min, typed)));
    setText(null);
  };
  return (
    <Input
      {...rest}
      {...(beyond ? { 'aria-invalid': true } : {})}
      type="number"
      min={min}
      max={max}
      value={text ?? value}
      onChange={event => {
        setText(event.target.value);
        const next = event.target.valueAsNumber;
        if (next < min || next > max || Number.isNaN(next) || next === value) return;
        setHanded(next);
        onChange(next);
      }}
      onBlur={settle}
      onKeyDown={event => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}
