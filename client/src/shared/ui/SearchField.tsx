import { useDeferredValue, useEffect, useState } from 'react';
import { Input } from './Field';
import { Icon } from './Icon';

/** A search whose words are in the address. They go there once the typing pauses, so that going back does not walk through letters. */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  const settled = useDeferredValue(text);
  useEffect(() => {
    if (settled.trim() === value) return undefined;
    const timer = window.setTimeout(() => {
      setSeen(settled.trim());
      onChange(settled.trim());
    }, 250);
    return () => window.clearTimeout(timer);
  }, [settled, value, onChange]);
  return (
    <div className="relative w-full sm:max-w-80 sm:min-w-56 sm:flex-1">
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={80}
        value={text}
        onChange={event => setText(event.target.value)}
        className="pl-9"
      />
    </div>
  );
}
