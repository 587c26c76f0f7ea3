import type { ReactNode } from 'react';
import { t } from '../../../shared/i18n/en/auth';
import { clockTimeOrDate, formatList } from '../../../shared/i18n/format';
import { Button } from '../../../shared/ui/Button';
import { activeProvider, type ManualRenewal } from '../session/session';
import type { AccountSession } from '../session/use-session';

interface Props {
  session: AccountSession;
  onRenew: (renewal: ManualRenewal) => void;
}

export function SignInDetails({ session, onRenew }: Props) {
  const { account, endsAt, renewsAt, hasRefreshToken, renewsInFrame } = session;
  const provider = activeProvider()?.provider;
  const methods: readonly [ManualRenewal, string, string | null][] = [
    ['frame', t.details.byFrame, renewsInFrame ? null : t.details.noFrame],
    ['refresh-token', t.details.byToken, hasRefreshToken ? null : t.details.noToken],
    ['window', t.details.byWindow, null],
  ];
  const automatic = [
    ...(hasRefreshToken ? [t.details.refreshToken] : []),
    ...(renewsInFrame ? [t.details.hiddenFrame] : []),
  ];
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        <Fact name={t.details.provider}>{account.provider}</Fact>
        <Fact name={t.details.issuer}>{provider?.issuer}</Fact>
        <Fact name={t.details.clientId}>{provider?.clientId}</Fact>
        <Fact name={t.details.subject}>{account.subject}</Fact>
        <Fact name={t.details.ends}>
          <Time at={endsAt} />
        </Fact>
        <Fact name={t.details.nextRenewal}>
          {automatic.length > 0 ? <Time at={renewsAt} /> : t.details.notAutomatic}
        </Fact>
        {automatic.length > 0 ? <Fact name={t.details.renewalMethods}>{formatList(automatic)}</Fact> : null}
      </dl>
      <section className="grid gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">{t.details.renewNow}</h3>
        <ul className="grid justify-items-start gap-2">
          {methods.map(([method, label, reason]) => (
            <li key={method}>
              <Button icon="refresh" reason={reason} onClick={() => onRenew(method)}>
                {label}
              </Button>
              {/* The button already describes its reason to assistive technology. */}
              {reason ? (
                <p aria-hidden="true" className="mt-1 text-xs text-muted">
                  {reason}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}

function Time({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{clockTimeOrDate(at)}</time>;
}
