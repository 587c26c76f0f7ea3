import { useId, type ComponentProps, type ReactNode } from 'react';
import { hasFormat } from '../generated/traitql';
import { DEMO_EVENT, tellingLine } from '../player/page-event';
import { t } from '../texts/site';
import { Field, Input } from '../ui/Field';
import { useHeardEvents } from './heard-events';

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
            <span className="mb-1 block font-medium text-ink">
              {heard.includes(name) ? t.events.received : t.events.notReceived}
            </span>
          ) : null}
          {hint} <code className="break-words">{tellingLine(fits ? name : DEMO_EVENT)}</code>
        </>
      }
    >
      <Input
        value={value}
        placeholder={DEMO_EVENT}
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
        {heard?.includes(DEMO_EVENT) ? null : <option value={DEMO_EVENT}>{t.events.demo}</option>}
      </datalist>
    </Field>
  );
}
