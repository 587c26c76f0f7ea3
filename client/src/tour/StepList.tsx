import { useRef, useState, type KeyboardEvent, type PointerEvent, type Ref, type RefObject } from 'react';
import type { Violation } from '../generated/traitql';
import { cx } from '../lib/class-names';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Menu, MenuItem, MenuLine } from '../ui/Menu';
import { Tooltip } from '../ui/Tooltip';
import type { Problem, Step } from './draft';
import type { Selection } from './EditorScreen';

interface Props {
  ref?: Ref<HTMLElement>;
  steps: readonly Step[];
  selection: Selection;
  problems: readonly Problem[];
  violations: readonly Violation[];
  readOnly: string | null;
  full: string | null;
  onSelect: (selection: Selection) => void;
  onAdd: () => void;
  onMove: (key: string, to: number) => void;
  onRemove: (key: string) => void;
  onDuplicate: (key: string) => void;
}

/** The steps in their order. They move by their handle, with the pointer or the arrow keys, or by Alt and the arrow keys. */
export function StepList({ ref, ...props }: Props) {
  const { steps, selection, readOnly, full, onSelect, onAdd } = props;
  const list = useRef<HTMLOListElement>(null);
  return (
    <section ref={ref} aria-label="Steps" className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 lg:sticky lg:top-4">
      <button
        type="button"
        aria-pressed={selection === 'rules'}
        onClick={() => onSelect('rules')}
        data-tour="tour-rules"
        className={cx(itemStyle, 'w-full px-3 py-2.5', selection === 'rules' && selectedStyle)}
      >
        <Icon name="settings" className="size-4 text-muted" />
        <span className="font-medium">Start and theme</span>
      </button>
      <ol ref={list} aria-label="Steps in order" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {steps.map((step, index) => (
          <StepItem key={step.key} {...props} step={step} index={index} list={list} />
        ))}
      </ol>
      {steps.length === 0 ? (
        <p className="rounded-card border border-dashed border-edge/60 px-4 py-6 text-center text-sm text-muted">
          No steps yet. Begin with a welcome in the middle of the page, then point at elements.
        </p>
      ) : null}
      <Button icon="plus" reason={readOnly ?? full} data-tour="step-add" onClick={onAdd}>
        Add step
      </Button>
    </section>
  );
}

const itemStyle =
  'flex items-center gap-2 rounded-control border border-line bg-surface text-left shadow-card hover:border-edge';
const selectedStyle = 'border-brand! ring-1 ring-brand';

function StepItem({
  step,
  index,
  list,
  ...props
}: Omit<Props, 'ref'> & { step: Step; index: number; list: RefObject<HTMLOListElement | null> }) {
  const { steps, selection, problems, violations, readOnly, full, onSelect, onMove, onRemove, onDuplicate } = props;
  const [dragging, setDragging] = useState(false);
  const selected = selection !== 'rules' && selection.step === step.key;
  const name = step.title || step.key;
  const broken = violations.some(each => each.path.startsWith(`steps.${index}.`));
  const worst = broken
    ? 'BLOCKER'
    : (
        problems.find(each => each.stepKey === step.key && each.severity === 'BLOCKER') ??
        problems.find(each => each.stepKey === step.key)
      )?.severity;

  const moveByKey = (event: KeyboardEvent, needsAlt: boolean) => {
    if (readOnly || (needsAlt && !event.altKey)) return;
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    onMove(step.key, index + by);
  };
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (!dragging || !list.current) return;
    const to = placeAt(list.current, event.clientY);
    if (to !== index) onMove(step.key, to);
  };

  return (
    <li className={cx(itemStyle, 'pr-1', selected && selectedStyle, dragging && 'opacity-80 shadow-raised')}>
      <Tooltip text="Drag to move, or use the arrow keys">
        <button
          type="button"
          aria-label={`Move step ${index + 1}, ${name}`}
          aria-disabled={readOnly ? true : undefined}
          className="shrink-0 cursor-grab touch-none self-stretch rounded-l-control px-1 text-muted active:cursor-grabbing aria-disabled:cursor-not-allowed"
          onKeyDown={event => moveByKey(event, false)}
          onPointerDown={event => {
            if (readOnly || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDragging(true);
          }}
          onPointerMove={drag}
          onPointerUp={() => setDragging(false)}
          onPointerCancel={() => setDragging(false)}
        >
          <Icon name="grip" className="size-4" />
        </button>
      </Tooltip>
      <button
        type="button"
        data-step={step.key}
        aria-pressed={selected}
        onClick={() => onSelect({ step: step.key })}
        onKeyDown={event => moveByKey(event, true)}
        className="flex min-w-0 grow items-center gap-2.5 py-2.5 text-left"
      >
        <span className="grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold tabular-nums">
          {index + 1}
        </span>
        <span className="min-w-0 grow">
          <span className="block truncate font-medium">{step.title || 'Without a title'}</span>
          <span className="block truncate text-xs text-muted">{whereOf(step)}</span>
        </span>
        {worst ? (
          <Icon name="warning" className={cx('size-4 shrink-0', worst === 'BLOCKER' ? 'text-danger' : 'text-signal-ink')} />
        ) : null}
        {worst ? <span className="sr-only">{worst === 'BLOCKER' ? 'has a problem' : 'has a hint'}</span> : null}
      </button>
      <Menu trigger={<IconButton label={`More about step ${index + 1}`} icon="more" className="shrink-0" />}>
        <MenuItem icon="copy" reason={readOnly ?? full} onSelect={() => onDuplicate(step.key)}>
          Duplicate
        </MenuItem>
        <MenuItem
          icon="up"
          reason={readOnly ?? (index === 0 ? 'It is the first step.' : null)}
          onSelect={() => onMove(step.key, index - 1)}
        >
          Move up
        </MenuItem>
        <MenuItem
          icon="down"
          reason={readOnly ?? (index === steps.length - 1 ? 'It is the last step.' : null)}
          onSelect={() => onMove(step.key, index + 1)}
        >
          Move down
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash" danger reason={readOnly} onSelect={() => onRemove(step.key)}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  );
}

function whereOf(step: Step): string {
  if (step.kind === 'MODAL') return 'In the middle of the page';
  return step.target ? `Beside ${step.target.value}` : 'No element yet';
}

/** The place in the list that a pointer at this height is over. */
function placeAt(list: HTMLElement, y: number): number {
  const middles = [...list.children].map(item => {
    const { top, height } = item.getBoundingClientRect();
    return { top, bottom: top + height };
  });
  const over = middles.findIndex(each => y < each.bottom);
  return over < 0 ? middles.length - 1 : over;
}
