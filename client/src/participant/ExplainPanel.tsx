import { useState } from 'react';
import { toAppError } from '../api/errors';
import { useExplainLazyQuery, useToursQuery } from '../generated/hooks';
import type { ExplainQuery } from '../generated/operations';
import { t } from '../texts/explain';
import { Badge, Light } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Card';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Input, Select } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { useWorkspace } from '../workspace/workspace-context';

type Explanation = ExplainQuery['explain'];
type GateResult = Explanation['gates'][number];

/** Says why a tour would begin for somebody on a page, or would not. `page` is where the question begins. */
export function ExplainPanel({ participantId, page }: { participantId: string; page: string }) {
  const workspace = useWorkspace();
  const tours = useToursQuery({ variables: { workspaceId: workspace.id, search: null, status: null, first: 100 } });
  return (
    <Panel title={t.title} description={t.description}>
      <Loaded result={tours} label={t.title} rows={1}>
        {data =>
          data.tours.nodes.length === 0 ? (
            <p className="text-muted">{t.noTours}</p>
          ) : (
            <Question participantId={participantId} page={page} tours={data.tours.nodes} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Question({
  participantId,
  page,
  tours,
}: {
  participantId: string;
  page: string;
  tours: readonly { id: string; title: string }[];
}) {
  const [tourId, setTourId] = useState(tours[0]?.id ?? '');
  const [url, setUrl] = useState(page);
  const [wrong, setWrong] = useState(false);
  const [explain, { data, error, loading }] = useExplainLazyQuery({ fetchPolicy: 'network-only' });
  return (
    <div className="grid gap-4">
      <form
        noValidate
        className="flex flex-wrap items-start gap-3"
        onSubmit={event => {
          event.preventDefault();
          const fits = /^https?:\/\//i.test(url) && URL.canParse(url);
          setWrong(!fits);
          // The hook reports the failure itself.
          if (fits) void explain({ variables: { participantId, tourId, url } }).catch(() => undefined);
        }}
      >
        <Field label={t.tour} className="min-w-48 grow basis-48">
          <Select value={tourId} onChange={event => setTourId(event.target.value)}>
            {tours.map(tour => (
              <option key={tour.id} value={tour.id}>
                {tour.title}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t.page} hint={t.pageHint} error={wrong ? t.noAddress : null} className="min-w-0 grow-2 basis-72">
          <Input type="url" inputMode="url" value={url} onChange={event => setUrl(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" busy={loading} className="mt-6.5">
          {t.submit}
        </Button>
      </form>
      {error ? <ErrorNote error={toAppError(error)} /> : null}
      <div aria-live="polite">{data ? <Answer explanation={data.explain} /> : null}</div>
    </div>
  );
}

function Answer({ explanation }: { explanation: Explanation }) {
  const { wouldPlay, resumes, gates } = explanation;
  return (
    <div className="grid gap-3">
      <p className="font-semibold">
        <Light tone={wouldPlay ? 'ok' : 'signal'}>{wouldPlay ? (resumes ? t.resumes : t.plays) : t.playsNot}</Light>
      </p>
      <ol aria-label={t.gates} className="grid gap-px overflow-hidden rounded-control border border-line bg-line">
        {gates.map(gate => (
          <li key={gate.gate} className="grid gap-x-4 gap-y-1 bg-surface px-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
            <span className="font-medium">{t.names[gate.gate]}</span>
            <span className="min-w-0 break-words">
              {whyOf(gate)}
              {gate.reason ? <span className="block text-sm text-muted">{t.reasons[gate.reason].fix}</span> : null}
            </span>
            <span>
              <Badge tone={gate.passed ? 'ok' : 'signal'}>{gate.passed ? t.open : t.closed}</Badge>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function whyOf({ gate, reason, at, expected, found }: GateResult): string {
  if (!reason) return t.passes[gate];
  const why = t.reasons[reason].why({ at: at ?? '', expected: expected ?? '', found: found ?? '' });
  if (reason === 'BEYOND_ROLLOUT' && expected) return `${why} ${t.rollout(expected)}`;
  if (reason === 'SEEN' && expected) return `${why} ${t.rule(t.frequencies[expected] ?? expected)}`;
  return why;
}
