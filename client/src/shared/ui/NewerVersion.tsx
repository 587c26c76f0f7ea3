import { t } from '../i18n/en/ui';
/** Somebody saved meanwhile, while this form holds changes of one's own: which of the two goes on is chosen here. */
export function NewerVersion({ onShow, onKeep }: { onShow: () => void; onKeep: () => void }) {
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
