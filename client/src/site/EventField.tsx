import { useId, type ComponentProps, type ReactNode } from 'react';
import { hasFormat } from '../generated/traitql';
import { tellingLine } from '../player/page-event';
import { t } from '../texts/site';
import { Field, Input } from '../ui/Field';
import { useHeardEvents } from './heard-events';

export const EVENT_EXAMPLE = 'order_placed';

/** The name of an event, chosen from those that pages have told of, or typed before one does. */
export function EventField({
  hint,
  value,
  onChange,
  ...field
}: Omit<ComponentProps<typeof Field>, 'children'> & {
  /** What stands before the line that tells of the event. */
  hint: ReactNode;
  value: string;
  onChange: (name: string) => void;
}) {
  const list = useId();
  const heard = useHeardEvents();
  const name = value.trim();
  const fits = hasFormat('KEY', name);
  return (
    <Field
      {...field}
      hint={
        <>
          {fits && heard ? (
            <span className="mb-1 block font-medium text-ink">{heard.includes(name) ? t.events.heard : t.events.unheard}</span>
          ) : null}
          {hint} <code className="break-words">{tellingLine(fits ? name : EVENT_EXAMPLE)}</code>
        </>
      }
    >
      <Input
        value={value}
        placeholder={EVENT_EXAMPLE}
        list={list}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={list}>
        {heard?.map(each => (
          <option key={each}>{each}</option>
        ))}
      </datalist>
    </Field>
  );
}
