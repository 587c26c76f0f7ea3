import { useDeferredValue, useEffect, useState } from 'react';
import { Input } from './Field';
import { Icon } from './Icon';

/** Changes the address when the user pauses, to keep the browser's history short. */
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
  const [previousValue, setPreviousValue] = useState(value);
  if (value !== previousValue) {
    setPreviousValue(value);
    setText(value);
  }
  const deferred = useDeferredValue(text);
  useEffect(() => {
    if (deferred.trim() === value) return undefined;
    const timer = window.setTimeout(() => {
      setPreviousValue(deferred.trim());
      onChange(deferred.trim());
    }, 250);
    return () => window.clearTimeout(timer);
  }, [deferred, value, onChange]);
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
