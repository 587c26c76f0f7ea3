import { useId, type ComponentProps, type ReactNode } from 'react';
import { useSiteEventsQuery } from '../../generated/hooks';
import { hasFormat } from '../../generated/traitql';
import { DEMO_EVENT, eventSnippet } from '../../player/page-event';
import { t } from '../../shared/i18n/en/site';
import { useVisible } from '../../shared/lib/hooks';
import { Field, Input } from '../../shared/ui/Field';
import { useWorkspace } from '../workspace/workspace-context';

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
  const heard = useEventNames();
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
          {hint} <code className="break-words">{eventSnippet(fits ? name : DEMO_EVENT)}</code>
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

/** What the pages of the workspace's sites tell of: the names from which a goal or a rule is chosen. */

/** How often the pages are asked anew: an event that one has just told of can be chosen soon. */
const EVERY_MS = 30_000;

/** In the order of their names, each once; null as long as nobody knows. */
export function useEventNames(): readonly string[] | null {
  const { slug } = useWorkspace();
  const { data } = useSiteEventsQuery({
    variables: { slug },
    fetchPolicy: 'cache-and-network',
    pollInterval: useVisible() ? EVERY_MS : 0,
  });
  const sites = data?.workspace?.sites;
  return sites ? [...new Set(sites.flatMap(site => site.events.map(event => event.name)))].toSorted() : null;
}
