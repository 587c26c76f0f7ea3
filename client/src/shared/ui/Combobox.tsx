import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../lib/class-names';
import { useFieldControl } from './Field';
import { Icon } from './Icon';

export interface ComboboxOption {
  readonly id: string;
  readonly name: string;
}

/** A text field that searches for one of many options, as in the ARIA pattern of the same name. */
export function Combobox<Option extends ComboboxOption>({
  label,
  value,
  options,
  busy,
  placeholder,
  nothing,
  more,
  onSearch,
  onChange,
}: {
  /** Names the list of options. */
  label: string;
  value: Option | null;
  /** The options that match the search; undefined while they load. */
  options: readonly Option[] | undefined;
  /** True while `options` match an earlier text, so that Enter would choose another one than the user expects. */
  busy: boolean;
  placeholder: string;
  /** Shown if no option matches. */
  nothing: string;
  /** Shown below the options if there are others. */
  more: string | null;
  /** Receives an empty text when the list opens. */
  onSearch: (text: string) => void;
  onChange: (option: Option) => void;
}) {
  const id = useId();
  // Null while the list is closed, and the field shows the name of the value.
  const [text, setText] = useState<string | null>(null);
  // Null until the user moves it: the value, or else the first option.
  const [active, setActive] = useState<number | null>(null);
  const isOpen = text !== null;
  const shown = options ?? [];
  const initial = Math.max(0, text === '' ? shown.findIndex(option => option.id === value?.id) : 0);
  const at = Math.min(active ?? initial, shown.length - 1);

  const search = (next: string) => {
    setText(next);
    setActive(null);
    onSearch(next);
  };
  const choose = (option: Option | undefined) => {
    if (!option) return;
    setText(null);
    onChange(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) setText(null);
    else if (event.key === 'Enter' && isOpen) {
      if (!busy) choose(shown[at]);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !isOpen) search('');
    else if (event.key === 'ArrowDown' && shown.length > 0) setActive((at + 1) % shown.length);
    else if (event.key === 'ArrowUp' && shown.length > 0) setActive((at - 1 + shown.length) % shown.length);
    else return;
    event.preventDefault();
    // Escape would also close the dialog around the field.
    event.stopPropagation();
  };

  return (
    <div className="relative">
      <input
        {...useFieldControl()}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && shown[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        aria-busy={isOpen && busy ? true : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={value ? value.name : placeholder}
        value={text ?? value?.name ?? ''}
        onChange={event => search(event.target.value)}
        onClick={() => isOpen || search('')}
        onBlur={() => setText(null)}
        onKeyDown={onKeyDown}
        className="control pr-9 text-ellipsis"
      />
      <Icon name="down" className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted" />
      <div
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-30 mt-1 grid max-h-72 min-w-56 overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-raised"
      >
        <div id={`${id}-list`} role="listbox" aria-label={label}>
          {shown.map((option, index) => (
            <OptionRow
              key={option.id}
              id={`${id}-${index}`}
              name={option.name}
              active={index === at}
              selected={option.id === value?.id}
              onHover={() => setActive(index)}
              onChoose={() => choose(option)}
            />
          ))}
        </div>
        <p role="status" className={cx('px-2.5 text-sm text-muted', (shown.length === 0 || more) && 'py-1.5')}>
          {isOpen && options && !busy ? (shown.length === 0 ? nothing : more) : null}
        </p>
      </div>
    </div>
  );
}

function OptionRow({
  id,
  name,
  active,
  selected,
  onHover,
  onChoose,
}: {
  id: string;
  name: string;
  active: boolean;
  selected: boolean;
  onHover: () => void;
  onChoose: () => void;
}) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // The field keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={selected}
      onPointerMove={onHover}
      // The field would lose the focus, and close the list before the click.
      onPointerDown={event => event.preventDefault()}
      onClick={onChoose}
      className={cx('flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-2', active && 'bg-brand-soft')}
    >
      <span className="min-w-0 grow break-words">{name}</span>
      {selected ? <Icon name="check" className="size-4 shrink-0" /> : null}
    </div>
  );
}
