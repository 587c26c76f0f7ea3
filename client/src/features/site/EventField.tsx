import { useId, type ComponentProps, type ReactNode } from 'react';
import { DEMO_EVENT, eventSnippet } from '../../../embed/player/page-event';
import { useSiteEventsQuery } from '../../generated/hooks';
import { hasFormat } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/site';
import { t as ui } from '../../shared/i18n/en/ui';
import { useVisible } from '../../shared/lib/hooks';
import { CodeWithCopy } from '../../shared/ui/Code';
import { Field, Input } from '../../shared/ui/Field';
import { useWorkspace } from '../workspace/workspace-context';

export function EventField({
  hint,
  value,
  onChange,
  ...field
}: Omit<ComponentProps<typeof Field>, 'children'> & {
  hint: ReactNode;
  value: string;
  onChange: (name: string) => void;
}) {
  const list = useId();
  const eventNames = useEventNames();
  const name = value.trim();
  const isValid = hasFormat('KEY', name);
  return (
    <div className="grid gap-2">
      <Field
        {...field}
        hint={
          <>
            {isValid && eventNames ? (
              <span className="mb-1 block font-medium text-ink">
                {eventNames.includes(name) ? t.events.received : t.events.notReceived}
              </span>
            ) : null}
            {hint}
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
          {eventNames?.map(each => (
            <option key={each}>{each}</option>
          ))}
          {eventNames?.includes(DEMO_EVENT) ? null : <option value={DEMO_EVENT}>{t.events.demo}</option>}
        </datalist>
      </Field>
      <CodeWithCopy code={eventSnippet(isValid ? name : DEMO_EVENT)} label={ui.copyCode} />
    </div>
  );
}

/** New events should appear soon. */
const POLL_INTERVAL_MS = 30_000;

/** Returns the events of all sites of the workspace; null while loading. */
export function useEventNames(): readonly string[] | null {
  const { slug } = useWorkspace();
  const { data } = useSiteEventsQuery({
    variables: { slug },
    fetchPolicy: 'cache-and-network',
    pollInterval: useVisible() ? POLL_INTERVAL_MS : 0,
  });
  const sites = data?.workspace?.sites;
  return sites ? [...new Set(sites.flatMap(site => site.events.map(event => event.name)))].toSorted() : null;
}
