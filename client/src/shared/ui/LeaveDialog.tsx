import { useBlocker } from '@tanstack/react-router';
import { t } from '../i18n/en/ui';
import { Button } from './Button';
import { Actions, Dialog } from './Dialog';

/** Keeps the user from leaving a screen with unsaved changes by accident. */
export function LeaveDialog({ dirty, text }: { dirty: boolean; text: string }) {
  const leaving = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: dirty, withResolver: true });
  return (
    <Dialog
      open={leaving.status === 'blocked'}
      onOpenChange={() => leaving.reset?.()}
      title={t.leave.title}
      description={text}
    >
      <Actions>
        <Button variant="danger" onClick={() => leaving.proceed?.()}>
          {t.leave.leave}
        </Button>
        <Button variant="primary" onClick={() => leaving.reset?.()}>
          {t.leave.stay}
        </Button>
      </Actions>
    </Dialog>
  );
}
