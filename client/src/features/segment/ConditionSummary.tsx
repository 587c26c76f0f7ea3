/** A condition as a sentence, with a dialog that edits it, because a column is too narrow for its fields. */
import { useState } from 'react';
import type { Condition } from '../../../embed/player/condition';
import type { Violation } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/steps';
import { Button, IconButton } from '../../shared/ui/Button';
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { useConditionNames } from '../tour/condition-names';
import { conditionInput, formatCondition, newCondition } from '../tour/condition-tree';
import { OptionalCondition } from './ConditionField';
import { MatchLine } from './MatchLine';

interface Props {
  value: Condition | null;
  path: string;
  violations: readonly Violation[];
  title: string;
  onChange: (value: Condition | null) => void;
}

export function ConditionSummary(props: Props) {
  const { value, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {value === null ? (
        <Button
          size="small"
          icon="plus"
          className="justify-self-start"
          onClick={() => {
            onChange(newCondition('page'));
            setOpen(true);
          }}
        >
          {t.condition.add}
        </Button>
      ) : (
        <ConditionSentence {...props} value={value} onEdit={() => setOpen(true)} />
      )}
      <ConditionDialog {...props} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

export function ConditionSentence({
  value,
  path,
  violations,
  title,
  onEdit,
  onChange,
}: Props & { value: Condition; onEdit: () => void }) {
  const names = useConditionNames();
  return (
    <div className="grid gap-2 rounded-control border border-line p-3">
      <p className="text-sm wrap-anywhere">{t.condition.sentence(formatCondition(value, names))}</p>
      {isValid(violations, path) ? null : <p className="text-sm text-danger">{t.condition.incomplete}</p>}
      <div className="flex items-center justify-between gap-2">
        <Button size="small" icon="edit" aria-label={t.condition.editOf(title)} onClick={onEdit}>
          {t.condition.edit}
        </Button>
        <IconButton label={t.condition.remove} icon="trash" onClick={() => onChange(null)} />
      </div>
    </div>
  );
}

export function ConditionDialog({
  value,
  path,
  violations,
  title,
  isOpen,
  onChange,
  onClose,
}: Props & { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog open={isOpen} onOpenChange={onClose} title={title} wide>
      <div className="@container grid gap-4">
        <OptionalCondition value={value} path={path} violations={violations} onChange={onChange} />
        <div className="border-t border-line pt-4">
          <MatchLine when={value && conditionInput(value)} isValid={isValid(violations, path)} />
        </div>
      </div>
      <Actions>
        <Button variant="primary" onClick={onClose}>
          {t.condition.done}
        </Button>
      </Actions>
    </Dialog>
  );
}

export const isValid = (violations: readonly Violation[], path: string): boolean =>
  violations.every(each => each.path !== path && !each.path.startsWith(`${path}.`));
