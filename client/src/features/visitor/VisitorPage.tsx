import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  MutationParticipantErase,
  MutationParticipantReset,
  MutationParticipantTesterSet,
} from '../../generated/fields';
import {
  useParticipantChangedSubscription,
  useParticipantEraseMutation,
  useParticipantResetMutation,
  useParticipantTesterSetMutation,
  useParticipantTimelineQuery,
} from '../../generated/hooks';
import type { ParticipantTimelineQuery } from '../../generated/operations';
import { evictQuery } from '../../shared/api/cache';
import { client } from '../../shared/api/client';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/visitor';
import { formatAgo } from '../../shared/i18n/format';
import { useNow, usePageTitle, useVisible } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { visitorName } from '../../shared/lib/visitor-name';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { CopyButton } from '../../shared/ui/CopyButton';
import { Loaded } from '../../shared/ui/Loaded';
import { MoreButton } from '../../shared/ui/MoreButton';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { BackLink, Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { useAccountId, useReason, useWorkspace } from '../workspace/workspace-context';
import { defaultPage } from './defaults';
import { ExplainPanel } from './ExplainPanel';
import { RunTimeline } from './RunTimeline';
import { TestUserBadge } from './TestUserBadge';

type Visitor = NonNullable<ParticipantTimelineQuery['participant']>;

/** The page of a visitor: runs, explanation, test user settings, and erasure. */
export function VisitorPage() {
  const { person: id } = useParams({ from: routeIds.person });
  const result = useParticipantTimelineQuery({ variables: { id }, fetchPolicy: 'cache-and-network' });
  const more = (after: string | null) => result.fetchMore({ variables: { after } });
  return (
    <Loaded result={result} label={t.loadingOne} page>
      {({ participant }) =>
        participant ? (
          <VisitorScreen key={participant.id} person={participant} onMore={more} />
        ) : (
          <NotFound thing="page" />
        )
      }
    </Loaded>
  );
}

function VisitorScreen({ person, onMore }: { person: Visitor; onMore: (after: string | null) => Promise<unknown> }) {
  const { slug, sites } = useWorkspace();
  const now = useNow();
  const name = visitorName(person);
  usePageTitle(name);
  // The subscription updates the cache, and thereby the timeline.
  useParticipantChangedSubscription({ variables: { id: person.id }, skip: !useVisible() });
  const { page } = useSearch({ from: routeIds.person });
  const { nodes, pageInfo } = person.runs;
  return (
    <Page
      above={
        <BackLink to={paths.people} params={{ workspace: slug }} search={{ site: person.site.id }}>
          {t.title}
        </BackLink>
      }
      title={name}
      description={
        <>
          {person.site.name} · {t.lastSeen(formatAgo(person.lastSeenAt, now))} ·{' '}
          {t.firstSeen(formatAgo(person.firstSeenAt, now))}
          {person.locale ? ` · ${person.locale}` : ''}
        </>
      }
      actions={<EraseButton person={person} />}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 break-all">
        <dt className="text-muted">{t.id}</dt>
        <dd className="flex flex-wrap items-center gap-x-3">
          <code>{person.id}</code>
          <CopyButton text={person.id} label={t.copyId} />
        </dd>
        {person.browsers.length > 0 ? (
          <>
            <dt className="text-muted">{t.browsers(person.browsers.length)}</dt>
            <dd>
              <code>{person.browsers.join(' ')}</code>
            </dd>
          </>
        ) : null}
        {person.lastPage ? (
          <>
            <dt className="text-muted">{t.lastPage}</dt>
            <dd>{person.lastPage}</dd>
          </>
        ) : null}
      </dl>
      <Panel title={t.timeline} description={t.timelineText}>
        {nodes.length === 0 ? (
          <p className="text-muted">{t.noRuns}</p>
        ) : (
          <div className="grid gap-3">
            <RunTimeline runs={nodes} />
            {pageInfo.hasNextPage ? <MoreButton onMore={() => onMore(pageInfo.endCursor)} /> : null}
          </div>
        )}
      </Panel>
      <ExplainPanel
        participantId={person.id}
        siteId={person.site.id}
        page={
          page ??
          person.lastPage ??
          defaultPage(
            person.site.origins,
            sites.some(({ id, own }) => own && id === person.site.id),
          )
        }
      />
      <Testing person={person} />
    </Page>
  );
}

function Testing({ person }: { person: Visitor }) {
  const me = useAccountId();
  const reasonFor = useReason();
  const [set, setting] = useParticipantTesterSetMutation();
  const [reset, resetting] = useParticipantResetMutation();
  const own = person.tester !== null && person.tester.id === me;
  const otherTester = person.tester !== null && !own ? t.testedBy(person.tester.name) : null;
  return (
    <Panel title={t.testing} description={t.testingText} actions={<TestUserBadge tester={person.tester} />}>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={setting.loading}
          reason={reasonFor(MutationParticipantTesterSet) ?? otherTester}
          onClick={async () => {
            const outcome = await runMutation(set({ variables: { id: person.id, tester: !own } }));
            if (outcome.ok) toast(own ? t.isNobodys : t.isYours);
            else toast(outcome.error.message, { tone: 'danger' });
          }}
        >
          {own ? t.testNoLonger : t.testAs}
        </Button>
        <Button
          icon="undo"
          busy={resetting.loading}
          reason={reasonFor(MutationParticipantReset) ?? otherTester ?? (own ? null : t.resetFirst)}
          onClick={async () => {
            const outcome = await runMutation(reset({ variables: { id: person.id } }));
            if (outcome.ok) toast(t.resetDone);
            else toast(outcome.error.message, { tone: 'danger' });
          }}
        >
          {t.reset}
        </Button>
      </div>
    </Panel>
  );
}

function EraseButton({ person }: { person: Visitor }) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const [erase] = useParticipantEraseMutation();
  return (
    <>
      <Button icon="trash" reason={useReason()(MutationParticipantErase)} onClick={() => setConfirming(true)}>
        {t.erase}
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.eraseTitle}
        action={t.eraseAction}
        onConfirm={async () => {
          const outcome = await runMutation(erase({ variables: { id: person.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.erased);
          await navigate({
            to: paths.people,
            params: { workspace: slug },
            search: { site: person.site.id },
            replace: true,
          });
          evictQuery(client.cache, 'participants');
          return null;
        }}
      >
        {t.eraseText}
      </Confirm>
    </>
  );
}
