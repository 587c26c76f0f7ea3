import { useState } from 'react';
import { MutationSiteUpdate } from '../../generated/fields';
import { useSiteIdentityQuery, useSiteUpdateMutation } from '../../generated/hooks';
import type { IdentityMode, SiteCard_SiteFragment, SiteIdentity_SiteFragment } from '../../generated/operations';
import type { AppError } from '../../shared/api/app-error';
import { runMutation } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/site';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { ErrorNote } from '../../shared/ui/ErrorPanel';
import { Field, Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { toast } from '../../shared/ui/toast';
import { useReason } from '../workspace/workspace-context';
import { IdentityKeys } from './IdentityKeys';

const MODES: readonly IdentityMode[] = ['OFF', 'OPTIONAL', 'REQUIRED'];

export function IdentityPanel({ site }: { site: SiteCard_SiteFragment }) {
  const result = useSiteIdentityQuery({ variables: { id: site.id }, fetchPolicy: 'cache-and-network' });
  return (
    <Panel title={t.identity.title} description={t.identity.description}>
      <Loaded result={result} label={t.identity.loading} rows={2}>
        {data =>
          data.site ? (
            <div className="grid gap-5">
              <ModeField site={site} identity={data.site} />
              <IdentityKeys site={data.site} mode={site.identityMode} />
            </div>
          ) : (
            <NotFound thing="site" />
          )
        }
      </Loaded>
    </Panel>
  );
}

function ModeField({ site, identity }: { site: SiteCard_SiteFragment; identity: SiteIdentity_SiteFragment }) {
  const reason = useReason()(MutationSiteUpdate);
  const [update, { loading }] = useSiteUpdateMutation();
  const [error, setError] = useState<AppError | null>(null);
  const [confirming, setConfirming] = useState(false);
  const save = async (identityMode: IdentityMode) => {
    const outcome = await runMutation(
      update({ variables: { input: { id: site.id, expectedVersion: site.version, identityMode } } }),
    );
    setError(outcome.ok ? null : outcome.error);
    if (outcome.ok) toast(t.page.saved);
    return outcome.ok ? null : outcome.error;
  };
  const { verified, identified } = identity.identityCoverage;
  const isOff = site.identityMode === 'OFF';
  const coverage = isOff ? t.identity.coverageOff(identified) : t.identity.coverage(verified, identified);
  return (
    <div className="grid gap-4">
      {error ? <ErrorNote error={error} /> : null}
      <Field label={t.identity.mode} hint={reason ?? t.identity.modeHints[site.identityMode]}>
        <Select
          value={site.identityMode}
          disabled={reason !== null || loading}
          onChange={event => {
            const mode = event.target.value as IdentityMode;
            if (mode === 'REQUIRED') setConfirming(true);
            else void save(mode);
          }}
        >
          {MODES.map(mode => (
            // The coverage of the optional mode comes first.
            <option key={mode} value={mode} disabled={isOff && mode === 'REQUIRED'}>
              {t.identity.modes[mode]}
            </option>
          ))}
        </Select>
      </Field>
      <p className="text-sm">{coverage}</p>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={t.identity.requireTitle}
        action={t.identity.require}
        onConfirm={() => save('REQUIRED')}
      >
        {t.identity.requireText} {coverage}
      </Confirm>
    </div>
  );
}
