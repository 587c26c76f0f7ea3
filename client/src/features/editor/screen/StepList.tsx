import { useRef, type KeyboardEvent, type PointerEvent, type Ref } from 'react';
import { traitsOf } from '../../../../embed/player/step-kinds';
import type { Violation } from '../../../generated/traitql';
import { t } from '../../../shared/i18n/en/editor';
import { t as fields } from '../../../shared/i18n/en/fields';
import { t as stepTexts } from '../../../shared/i18n/en/steps';
import { formatCount } from '../../../shared/i18n/format';
import { cx } from '../../../shared/lib/class-names';
import { Button, IconButton } from '../../../shared/ui/Button';
import { Icon } from '../../../shared/ui/Icon';
import { Keys } from '../../../shared/ui/Keys';
import { Menu, MenuItem, MenuSeparator } from '../../../shared/ui/Menu';
import { Tooltip } from '../../../shared/ui/Tooltip';
import { useReorder, type Drag } from '../../../shared/ui/use-reorder';
import { openStepComments, openTourComments } from '../../review/comments';
import { isWaitWithoutRule, type Problem, type Step } from '../../tour/draft';
import type { TourWithDraft } from '../../tour/tour-context';
import type { LocalWarning } from '../model/problems';
import type { StepId } from '../model/step-ids';
import type { Selection } from './use-step-selection';

export const STEP_ADD = 'step-add';

interface Props {
  ref?: Ref<HTMLElement>;
  steps: readonly Step[];
  locales: readonly string[];
  ids: readonly StepId[];
  selection: Selection;
  problems: readonly Problem[];
  violations: readonly Violation[];
  localWarnings: readonly LocalWarning[];
  comments: TourWithDraft['draft']['comments'];
  readOnly: string | null;
  limitReason: string | null;
  onSelect: (selection: Selection) => void;
  onAdd: () => void;
  onMove: (key: string, to: number) => void;
  onRemove: (key: string) => void;
  onDuplicate: (key: string) => void;
}

/** Steps move by drag and drop, arrow keys on their handle, or Alt and arrow keys. */
export function StepList({ ref, ...props }: Props) {
  const { steps, locales, ids, selection, comments, readOnly, limitReason, onSelect, onAdd, onMove } = props;
  const keys = steps.map(each => each.key);
  const list = useRef<HTMLOListElement>(null);
  const selectedIndex = typeof selection === 'string' ? -1 : ids.findIndex(({ id }) => id === selection.step);
  const { drag, press } = useReorder(list, (from, to) => {
    const moved = steps[from];
    if (moved) onMove(moved.key, to);
  });
  return (
    <section
      ref={ref}
      aria-label={t.list.steps}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 lg:sticky lg:top-[calc(var(--banner-height,0px)+var(--toolbar-height,0px)+0.5rem)] lg:max-h-[calc(100dvh-var(--banner-height,0px)-var(--toolbar-height,0px)-1.5rem)] lg:grid-rows-[auto_auto_minmax(0,1fr)_auto]"
    >
      <button
        type="button"
        aria-pressed={selection === 'rules'}
        onClick={() => onSelect('rules')}
        data-tour="tour-rules"
        className={cx(itemStyle, 'w-full px-3 py-2.5', selection === 'rules' && selectedStyle)}
      >
        <Icon name="settings" className="size-4 text-muted" />
        <span className="grow font-medium">{t.list.rules}</span>
        <CommentCount count={openTourComments(comments, keys).length} />
      </button>
      <button
        type="button"
        aria-pressed={selection === 'languages'}
        onClick={() => onSelect('languages')}
        className={cx(itemStyle, 'w-full px-3 py-2.5', selection === 'languages' && selectedStyle)}
      >
        <Icon name="language" className="size-4 text-muted" />
        <span className="grow font-medium">{t.languages.title}</span>
        {locales.length > 1 ? (
          <span className="shrink-0 text-xs text-muted">{t.languages.count(locales.length)}</span>
        ) : null}
      </button>
      {steps.length === 0 ? (
        <p className="rounded-card border border-dashed border-edge/60 px-4 py-6 text-center text-sm text-muted">
          {t.list.empty}
        </p>
      ) : (
        <div className="relative -m-1 min-w-0 p-1 lg:overflow-y-auto">
          <ol
            ref={list}
            aria-label={t.list.inOrder}
            className={cx('relative grid grid-cols-[minmax(0,1fr)] gap-1.5', drag && 'select-none')}
          >
            {steps.map((step, index) => (
              <StepItem
                key={ids[index]?.id ?? step.key}
                {...props}
                step={step}
                index={index}
                id={ids[index]?.id ?? step.key}
                drag={drag}
                onPress={event => press(index, event)}
              />
            ))}
          </ol>
          {drag && drag.to !== drag.from ? <DropLine at={drag.line} /> : null}
        </div>
      )}
      <Button id={STEP_ADD} icon="plus" reason={readOnly ?? limitReason} data-tour="step-add" onClick={onAdd}>
        {selectedIndex < 0 || selectedIndex === steps.length - 1 ? t.list.add : t.list.addAfter(selectedIndex + 1)}
      </Button>
      {steps.length > 1 && !readOnly ? (
        <p className="hidden flex-wrap items-center gap-x-1.5 gap-y-1 text-xs text-muted sm:pointer-fine:flex">
          {t.list.moveStep}
          <Keys keys="alt+arrowup" />
          <Keys keys="alt+arrowdown" />
        </p>
      ) : null}
    </section>
  );
}

function CommentCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="flex shrink-0 items-center gap-1 text-xs text-muted">
      <Icon name="comment" className="size-4" />
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="sr-only">{t.list.comments(count)}</span>
    </span>
  );
}

function DropLine({ at }: { at: number }) {
  return (
    <div
      aria-hidden="true"
      data-drop-line=""
      className="pointer-events-none absolute inset-x-1 -mt-px flex h-0.5 items-center rounded-full bg-brand"
      style={{ top: at + 4 }}
    >
      <span className="-ml-1 size-2.5 rounded-full border-2 border-brand bg-surface" />
    </div>
  );
}

const itemStyle =
  'flex items-center gap-2 rounded-control border border-line bg-surface text-left shadow-card hover:border-edge';
const selectedStyle = 'border-brand! ring-1 ring-brand';

function StepItem({
  step,
  index,
  id,
  drag,
  onPress,
  ...props
}: Omit<Props, 'ref' | 'ids'> & {
  step: Step;
  index: number;
  id: string;
  drag: Drag | null;
  onPress: (event: PointerEvent<HTMLElement>) => void;
}) {
  const {
    steps,
    selection,
    problems,
    violations,
    localWarnings,
    comments,
    readOnly,
    limitReason,
    onSelect,
    onMove,
    onRemove,
    onDuplicate,
  } = props;
  const handle = useRef<HTMLButtonElement>(null);
  const dragging = drag?.from === index;
  const selected = typeof selection === 'object' && selection.step === id;
  const name = step.title || step.key;
  const hasViolation = violations.some(each => each.path.startsWith(`steps.${index}.`));
  const severity = hasViolation
    ? 'BLOCKER'
    : ((
        problems.find(each => each.stepKey === step.key && each.severity === 'BLOCKER') ??
        problems.find(each => each.stepKey === step.key)
      )?.severity ?? (localWarnings.some(each => each.step === step) ? 'WARNING' : undefined));

  const moveByKey = (event: KeyboardEvent, needsAlt: boolean) => {
    const to = indexByKey(event.key, index, steps.length);
    if (to === null || event.altKey !== needsAlt || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!readOnly) onMove(step.key, to);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    moveByKey(event, true);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = indexByKey(event.key, index, steps.length);
    if (to !== null) {
      event.preventDefault();
      const items = event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('[data-step]');
      items?.[to]?.focus();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !readOnly) {
      event.preventDefault();
      onRemove(step.key);
    }
  };
  // A mouse drags anywhere. Touch scrolls the page except on the handle.
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (readOnly || !(event.target instanceof Element) || event.target.closest('[aria-haspopup]')) return;
    // Events of the step's menu bubble through React, from a portal.
    if (!event.currentTarget.contains(event.target)) return;
    if (event.pointerType === 'mouse' || handle.current?.contains(event.target)) onPress(event);
  };

  return (
    <li
      onPointerDown={onPointerDown}
      className={cx(
        itemStyle,
        'pr-1',
        selected && selectedStyle,
        dragging && 'relative z-10 origin-right scale-[0.94] cursor-grabbing bg-raised shadow-raised',
      )}
    >
      <Tooltip text={t.list.drag}>
        <button
          ref={handle}
          type="button"
          aria-label={t.list.move(index + 1, name)}
          aria-disabled={readOnly ? true : undefined}
          className="shrink-0 cursor-grab touch-none self-stretch rounded-l-control px-1 text-muted active:cursor-grabbing aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
          onKeyDown={event => moveByKey(event, false)}
        >
          <Icon name="grip" className="size-4" />
        </button>
      </Tooltip>
      <button
        type="button"
        data-step={id}
        aria-pressed={selected}
        onClick={() => onSelect({ step: id })}
        onKeyDown={onKeyDown}
        className="flex min-w-0 grow items-center gap-2.5 py-2.5 text-left"
      >
        <span className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold tabular-nums">
          {index + 1}
        </span>
        <span className="min-w-0 grow">
          <span className="line-clamp-2 font-medium break-words">{step.title || t.list.untitled}</span>
          <span className="flex items-center gap-2 text-xs text-muted">
            <span className="min-w-0 truncate">{formatStepLocation(step)}</span>
            <CommentCount count={openStepComments(comments, step.key).length} />
            {severity ? (
              <Icon
                name="warning"
                className={cx('size-4 shrink-0', severity === 'BLOCKER' ? 'text-danger' : 'text-signal-ink')}
              />
            ) : null}
            {severity ? (
              <span className="sr-only">{severity === 'BLOCKER' ? t.list.hasProblem : t.list.hasHint}</span>
            ) : null}
          </span>
        </span>
      </button>
      <Menu trigger={<IconButton label={t.list.more(index + 1)} icon="more" className="shrink-0" />}>
        <MenuItem icon="copy" reason={readOnly ?? limitReason} onSelect={() => onDuplicate(step.key)}>
          {t.list.duplicate}
        </MenuItem>
        <MenuItem
          icon="up"
          reason={readOnly ?? (index === 0 ? t.list.isFirst : null)}
          onSelect={() => onMove(step.key, index - 1)}
        >
          {t.list.up}
        </MenuItem>
        <MenuItem
          icon="down"
          reason={readOnly ?? (index === steps.length - 1 ? t.list.isLast : null)}
          onSelect={() => onMove(step.key, index + 1)}
        >
          {t.list.down}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" danger reason={readOnly} onSelect={() => onRemove(step.key)}>
          {t.list.delete}
        </MenuItem>
      </Menu>
    </li>
  );
}

function formatStepLocation(step: Step): string {
  const { target, dims, waits, together } = traitsOf(step);
  if (waits)
    return `${fields.kinds[step.kind]}: ${isWaitWithoutRule(step) ? stepTexts.advance.notSet : stepTexts.advance.ends[step.advance.on]}`;
  if (!target) return t.list.modal;
  if (!step.target) return t.list.noElement;
  const { value } = step.target;
  if (together) return stepTexts.hotspotOn(value);
  return dims ? t.list.spotlight(value) : t.list.tooltip(value);
}

/** Returns null for other keys. */
function indexByKey(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
