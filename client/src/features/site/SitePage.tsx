import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationSiteKeyRotate, MutationSiteUpdate } from '../../generated/fields';
import {
  useInstanceQuery,
  useSiteChangedSubscription,
  useSiteKeyRotateMutation,
  useSitesQuery,
  useSiteUpdateMutation,
  useToursQuery,
} from '../../generated/hooks';
import type { SiteCard_SiteFragment } from '../../generated/operations';
import { SiteUpdateInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { refetchScreen } from '../../shared/api/refetch-on-focus';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/site';
import { t as ui } from '../../shared/i18n/en/ui';
import { usePageTitle, useVisible } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { CopyButton } from '../../shared/ui/CopyButton';
import { ErrorNote, NewerVersionNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { NumberInput } from '../../shared/ui/NumberInput';
import { BackLink, Page } from '../../shared/ui/Page';
import { toast } from '../../shared/ui/toast';
import { FirstSteps } from '../workspace/FirstSteps';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { DemoLink, isDemoAllowed } from './DemoLink';
import { EventsPanel } from './EventsPanel';
import { IdentityPanel } from './IdentityPanel';
import { InstallCode } from './InstallCode';
import { InstallStatus } from './InstallStatus';
import { OriginsField, originsOf, originsProblem } from './OriginsField';
import { RefusedOriginsPanel } from './RefusedOriginsPanel';

export function SitePage() {
  const { slug } = useWorkspace();
  const { site: id } = useParams({ from: routeIds.site });
  const result = useSitesQuery({ variables: { slug } });
  return (
    <Loaded result={result} label={t.page.loading} page>
      {({ workspace }) => {
        const site = workspace?.sites.find(each => each.id === id);
        return site ? <SiteScreen key={site.id} site={site} /> : <NotFound thing="site" />;
      }}
    </Loaded>
  );
}

function SiteScreen({ site }: { site: SiteCard_SiteFragment }) {
  const { id: workspaceId, slug } = useWorkspace();
  const tours = useToursQuery({ variables: { workspaceId } }).data?.tours;
  usePageTitle(site.name);
  // Updates the cache.
  useSiteChangedSubscription({ variables: { id: site.id }, skip: !useVisible(), onComplete: refetchScreen });
  return (
    <Page
      above={
        <BackLink to={paths.sites} params={{ workspace: slug }}>
          {t.list.title}
        </BackLink>
      }
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {site.name}
          {site.own ? <Badge tone="signal">{ui.builtIn}</Badge> : null}
        </span>
      }
      description={
        <span role="status" data-tour="site-light">
          <InstallStatus site={site} />
          {site.lastPage ? <span className="ml-2 break-all">{t.page.lastPage(site.lastPage)}</span> : null}
        </span>
      }
    >
      {tours && !site.own ? <FirstSteps tours={tours} /> : null}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <PagesPanel site={site} />
          <EventsPanel siteId={site.id} />
        </div>
        <div className="grid gap-5">
          {site.own ? null : <RefusedOriginsPanel site={site} />}
          <SitePanel site={site} />
          {site.own ? null : <IdentityPanel site={site} />}
        </div>
      </div>
    </Page>
  );
}

function PagesPanel({ site }: { site: SiteCard_SiteFragment }) {
  const embed = useInstanceQuery({ context: { anonymous: true } }).data?.instance.embed;
  const rotateReason = useReason()(MutationSiteKeyRotate);
  const [rotate] = useSiteKeyRotateMutation();
  const [rotating, setRotating] = useState(false);
  const updateReason = useReason()(MutationSiteUpdate);
  const [update, { loading: allowing }] = useSiteUpdateMutation();
  // The site's origins apply to it, too.
  const demoAllowed = isDemoAllowed(site);
  const allowDemo = async () => {
    const { id, version: expectedVersion, name, cooldownHours } = site;
    const origins = [...site.origins, window.location.origin];
    const outcome = await runMutation(
      update({ variables: { input: { id, expectedVersion, name, cooldownHours, origins } } }),
    );
    toast(outcome.ok ? t.page.saved : outcome.error.message, outcome.ok ? {} : { tone: 'danger' });
  };
  return (
    <Panel id="install" title={t.page.pages} description={site.own ? t.page.ownPages : t.page.pagesText}>
      <div className="grid gap-4">
        {embed && !site.own ? <InstallCode site={site} embed={embed} /> : null}
        {site.own ? null : (
          <div className="grid justify-items-start gap-2">
            <DemoLink site={site} />
            {demoAllowed ? null : (
              <div className="grid justify-items-start gap-2">
                <p className="text-sm text-muted">{t.page.demoElsewhere(window.location.origin)}</p>
                <Button size="small" icon="plus" reason={updateReason} busy={allowing} onClick={() => void allowDemo()}>
                  {t.page.allowDemo}
                </Button>
              </div>
            )}
          </div>
        )}
        <Field label={t.page.key} hint={t.page.keyHint}>
          <Input readOnly value={site.key} className="font-mono" onFocus={event => event.target.select()} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={site.key} label={t.page.copyKey} />
          <Button size="small" icon="refresh" reason={rotateReason} onClick={() => setRotating(true)}>
            {t.page.replaceKey}
          </Button>
        </div>
      </div>
      <Confirm
        open={rotating}
        onOpenChange={setRotating}
        title={t.page.replaceTitle}
        action={t.page.replaceKey}
        onConfirm={async () => {
          const outcome = await runMutation(rotate({ variables: { id: site.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.page.replaced);
          return null;
        }}
      >
        {t.page.replaceText}
      </Confirm>
    </Panel>
  );
}

const valuesOf = (site: SiteCard_SiteFragment) => ({
  name: site.name,
  origins: site.origins.join('\n'),
  allowHttp: site.allowHttp,
  cooldownHours: site.cooldownHours,
});

function SitePanel({ site }: { site: SiteCard_SiteFragment }) {
  const reason = useReason()(MutationSiteUpdate);
  const [update] = useSiteUpdateMutation();
  // The subscription may update `site` while the user types.
  const [base, setBase] = useState(site);
  const inputOf = (values: ReturnType<typeof valuesOf>) => ({
    id: site.id,
    expectedVersion: base.version,
    name: values.name,
    origins: originsOf(values.origins),
    allowHttp: values.allowHttp,
    cooldownHours: values.cooldownHours,
  });
  const form = useForm({
    initial: valuesOf(site),
    check: values => checkInput(SiteUpdateInputRules, inputOf(values)),
    send: async values => {
      const outcome = await runMutation(update({ variables: { input: inputOf(values) } }));
      if (!outcome.ok) return outcome.error;
      setBase(outcome.data.siteUpdate);
      toast(t.page.saved);
      return null;
    },
  });
  const { values } = form;
  const dirty =
    values.name !== base.name ||
    originsOf(values.origins).join() !== base.origins.join() ||
    values.allowHttp !== base.allowHttp ||
    values.cooldownHours !== base.cooldownHours;
  // Show a newer version automatically if the form has no unsaved changes.
  if (site.version > base.version && !dirty && !form.busy) {
    setBase(site);
    form.set(valuesOf(site));
  }
  return (
    <Panel title={t.page.details}>
      <form onSubmit={form.submit} noValidate>
        <fieldset disabled={reason !== null} className="grid min-w-0 gap-4">
          <legend className="sr-only">{t.page.details}</legend>
          {form.error ? <ErrorNote error={form.error} /> : null}
          {site.version === base.version ? null : (
            <NewerVersionNote
              onShow={() => {
                setBase(site);
                form.set(valuesOf(site));
              }}
              onKeep={() => setBase(site)}
            />
          )}
          <Field label={common.name} error={form.problem('name')}>
            <Input
              value={values.name}
              onChange={event => form.set({ name: event.target.value })}
              onBlur={() => form.touch('name')}
            />
          </Field>
          <OriginsField
            value={values.origins}
            allowHttp={values.allowHttp}
            error={form.problem('origins') && (originsProblem(values.origins) ?? form.problem('origins'))}
            onChange={form.set}
            onLeave={() => form.touch('origins')}
          />
          <Field label={t.page.cooldownHours} error={form.problem('cooldownHours')} hint={t.page.cooldownHint}>
            <NumberInput
              min={SiteUpdateInputRules.fields.cooldownHours.range.min}
              max={SiteUpdateInputRules.fields.cooldownHours.range.max}
              value={values.cooldownHours}
              onChange={cooldownHours => form.set({ cooldownHours: Math.round(cooldownHours) })}
              className="max-w-32"
            />
          </Field>
        </fieldset>
        <div className="mt-4 flex justify-end">
          <Button
            variant="primary"
            type="submit"
            busy={form.busy}
            reason={reason ?? (dirty ? null : common.nothingChanged)}
          >
            {t.page.save}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
