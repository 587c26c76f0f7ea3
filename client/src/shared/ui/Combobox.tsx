import { useId, useState, type KeyboardEvent } from 'react';
import { cx } from '../lib/class-names';
import { useFieldControl } from './Field';
import { Icon } from './Icon';
import { ListOption } from './ListOption';
import { useActiveOption } from './use-active-option';

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
  onBlur,
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
  onBlur?: (() => void) | undefined;
}) {
  const id = useId();
  // Null while the list is closed, and the field shows the name of the value.
  const [text, setText] = useState<string | null>(null);
  const isOpen = text !== null;
  const shown = options ?? [];
  const initial = Math.max(0, text === '' ? shown.findIndex(option => option.id === value?.id) : 0);
  const active = useActiveOption(shown.length, initial);

  const search = (next: string) => {
    setText(next);
    active.reset();
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
      if (!busy) choose(shown[active.at]);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !isOpen) search('');
    else if (!active.move(event.key)) return;
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
        aria-activedescendant={isOpen && shown[active.at] ? `${id}-${active.at}` : undefined}
        aria-autocomplete="list"
        aria-busy={isOpen && busy ? true : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={value ? value.name : placeholder}
        value={text ?? value?.name ?? ''}
        onChange={event => search(event.target.value)}
        onClick={() => isOpen || search('')}
        onBlur={() => {
          setText(null);
          onBlur?.();
        }}
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
            <ListOption
              key={option.id}
              id={`${id}-${index}`}
              active={index === active.at}
              selected={option.id === value?.id}
              onHover={() => active.activate(index)}
              onChoose={() => choose(option)}
            >
              <span className="min-w-0 grow break-words">{option.name}</span>
              {option.id === value?.id ? <Icon name="check" className="size-4 shrink-0" /> : null}
            </ListOption>
          ))}
        </div>
        <p role="status" className={cx('px-2.5 text-sm text-muted', (shown.length === 0 || more) && 'py-1.5')}>
          {isOpen && options && !busy ? (shown.length === 0 ? nothing : more) : null}
        </p>
      </div>
    </div>
  );
}
