import type { RefObject } from 'react';
import { t } from '../i18n/en/ui';

interface Props {
  /** The keys of all rows, in their order. */
  keys: readonly string[];
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

export function AllRowsCheckbox({ keys, selected, onChange }: Props) {
  const count = keys.filter(key => selected.has(key)).length;
  return (
    <input
      type="checkbox"
      aria-label={t.selectAll}
      checked={count > 0 && count === keys.length}
      ref={input => {
        if (input) input.indeterminate = count > 0 && count < keys.length;
      }}
      onChange={({ target }) => onChange(withKeys(selected, keys, target.checked))}
      className="block size-5"
    />
  );
}

/** A checkbox that also changes the rows since the one that was changed last if Shift is pressed. */
export function RowCheckbox({
  keys,
  selected,
  onChange,
  own,
  name,
  lastRef,
}: Props & { own: string; name: string; lastRef: RefObject<string | null> }) {
  return (
    <input
      type="checkbox"
      aria-label={t.select(name)}
      checked={selected.has(own)}
      onChange={({ target, nativeEvent }) => {
        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        const from = isRange && lastRef.current !== null ? keys.indexOf(lastRef.current) : -1;
        const to = keys.indexOf(own);
        lastRef.current = own;
        const changed = from < 0 ? [own] : keys.slice(Math.min(from, to), Math.max(from, to) + 1);
        onChange(withKeys(selected, changed, target.checked));
      }}
      className="block size-5"
    />
  );
}

function withKeys(before: ReadonlySet<string>, keys: readonly string[], isSelected: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const key of keys) {
    if (isSelected) after.add(key);
    else after.delete(key);
  }
  return after;
}
