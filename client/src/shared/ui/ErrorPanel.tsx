import { useState } from 'react';
import { isPlainRefusal, type AppError } from '../api/app-error';
import { authSession } from '../api/auth-session';
import { t as common } from '../i18n/en/common';
import { t } from '../i18n/en/ui';
import { useTemporaryPageTitle } from '../lib/hooks';
import { Button } from './Button';
import { Icon, type IconName } from './Icon';

interface ErrorTexts {
  readonly icon: IconName;
  readonly title: string;
  readonly advice: string;
}

function errorTexts(error: AppError): ErrorTexts {
  switch (error.kind) {
    case 'network':
      return {
        icon: 'offline',
        title: error.code === 'OFFLINE' ? t.failures.offline : t.failures.unreachable,
        advice: t.failures.checkConnection,
      };
    case 'protocol':
      return {
        icon: 'warning',
        title: t.failures.unexpected,
        advice: t.failures.unexpectedAdvice,
      };
    case 'graphql':
      if (error.unsupportedToken === true)
        return { icon: 'stop', title: t.failures.opaqueToken, advice: t.failures.opaqueTokenAdvice };
      if (error.refusal !== undefined)
        return { icon: 'stop', title: t.failures.notAccepted, advice: t.failures.notAcceptedAdvice };
      return error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND' || error.code === 'UNAUTHENTICATED'
        ? { icon: 'stop', title: titleOf(error.code), advice: error.message }
        : { icon: 'warning', title: t.failures.refused, advice: error.message };
    case 'aborted':
      return { icon: 'refresh', title: t.failures.stopped, advice: t.failures.tryAgain };
    case 'unknown':
      return {
        icon: 'warning',
        title: t.failures.broken,
        advice: t.failures.brokenAdvice,
      };
    default:
      return error satisfies never;
  }
}

function titleOf(code: 'FORBIDDEN' | 'NOT_FOUND' | 'UNAUTHENTICATED'): string {
  switch (code) {
    case 'FORBIDDEN':
      return t.failures.forbidden;
    case 'NOT_FOUND':
      return t.failures.notFound;
    case 'UNAUTHENTICATED':
      return t.failures.unauthenticated;
    default:
      return code satisfies never;
  }
}

/** The content could not be loaded. */
export function ErrorPanel({
  error,
  heading: Heading = 'h2',
  onRetry,
}: {
  error: AppError;
  /** `h1` for a whole page. */
  heading?: 'h1' | 'h2';
  onRetry?: (() => void) | undefined;
}) {
  const texts = errorTexts(error);
  useTemporaryPageTitle(Heading === 'h1' ? texts.title : null);
  const canSignOut = error.code === 'UNAUTHENTICATED' && authSession.accountKey() !== null;
  return (
    <div
      role="alert"
      data-error-kind={error.kind}
      className="grid justify-items-center gap-2 rounded-card border border-line bg-surface px-6 py-12 text-center"
    >
      <Icon name={texts.icon} className="size-8 text-danger" />
      <Heading className="text-lg font-semibold">{texts.title}</Heading>
      <p className="max-w-md text-muted">{texts.advice}</p>
      <Detail error={error} />
      {onRetry || canSignOut ? (
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          {onRetry ? (
            <Button icon="refresh" onClick={onRetry}>
              {common.tryAgain}
            </Button>
          ) : null}
          {canSignOut ? <SignOutButton /> : null}
        </div>
      ) : null}
    </div>
  );
}

function SignOutButton() {
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    void authSession.signOut();
  };
  return (
    <Button variant="ghost" busy={leaving} onClick={leave}>
      {t.failures.signOut}
    </Button>
  );
}

export function ErrorNote({ error }: { error: AppError }) {
  return (
    <div
      role="alert"
      data-error-kind={error.kind}
      className="flex gap-2.5 rounded-control border border-danger/40 bg-danger-soft px-3 py-2.5"
    >
      <Icon name={errorTexts(error).icon} className="mt-0.5 size-5 text-danger" />
      <div className="min-w-0">
        <p>{error.message}</p>
        <Detail error={error} />
      </div>
    </div>
  );
}

function Detail({ error }: { error: AppError }) {
  const parts = [
    error.kind === 'graphql' ? (error.refusal ?? null) : error.kind === 'unknown' ? error.message : error.code,
    error.reference && !isPlainRefusal(error) ? t.failures.reference(error.reference) : null,
  ].filter(Boolean);
  return parts.length > 0 ? <p className="font-mono text-xs wrap-anywhere text-muted">{parts.join(' · ')}</p> : null;
}

/** Another member saved a version while this form has unsaved changes. */
export function NewerVersionNote({ onShow, onKeep }: { onShow: () => void; onKeep: () => void }) {
  const style = 'font-semibold underline underline-offset-2';
  return (
    <p role="status" className="rounded-control bg-signal-soft px-3 py-2 text-sm text-signal-ink">
      {t.newerVersion.saved}{' '}
      <button type="button" className={style} onClick={onShow}>
        {t.newerVersion.show}
      </button>
      {` ${t.newerVersion.or} `}
      <button type="button" className={style} onClick={onKeep}>
        {t.newerVersion.keep}
      </button>
      .
    </p>
  );
}
