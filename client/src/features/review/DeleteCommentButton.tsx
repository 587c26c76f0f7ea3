import { useState } from 'react';
import type { Guarded } from '../../shared/api/permissions';
import type { runMutation } from '../../shared/api/run-mutation';
import { t as errors } from '../../shared/i18n/en/errors';
import { IconButton } from '../../shared/ui/Button';
import { Confirm } from '../../shared/ui/Confirm';
import { toast } from '../../shared/ui/toast';
import { useAccountId, useReason, useWorkspace } from '../workspace/workspace-context';
import { useArchivedReason } from './comments';

export function DeleteCommentButton({
  author,
  field,
  texts,
  onDelete,
}: {
  author: { readonly id: string; readonly name: string };
  field: Guarded;
  texts: {
    readonly delete: (name: string) => string;
    readonly deleteTitle: string;
    readonly deleteText: (name: string) => string;
    readonly deleteIt: string;
    readonly deleted: string;
  };
  onDelete: () => ReturnType<typeof runMutation>;
}) {
  const { myRole } = useWorkspace();
  const accountId = useAccountId();
  const archived = useArchivedReason();
  const reason = useReason()(field) ?? archived;
  const [confirming, setConfirming] = useState(false);
  const ownershipReason =
    author.id === accountId || myRole === 'ADMIN'
      ? null
      : errors.sentence('COMMENT_NOT_YOURS', { person: author.name });
  return (
    <>
      <IconButton
        label={texts.delete(author.name)}
        icon="trash"
        size="small"
        reason={reason ?? ownershipReason}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={texts.deleteTitle}
        action={texts.deleteIt}
        onConfirm={async () => {
          const outcome = await onDelete();
          if (!outcome.ok) return outcome.error;
          toast(texts.deleted);
          return null;
        }}
      >
        {texts.deleteText(author.name)}
      </Confirm>
    </>
  );
}
