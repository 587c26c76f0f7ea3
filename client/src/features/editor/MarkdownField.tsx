import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../shared/i18n/en/editor';
import { continueList, type TextSelection } from '../../shared/lib/text-edit';
import { IconButton } from '../../shared/ui/Button';
import { matches, formatKeys } from '../../shared/ui/commands';
import { useFieldControl } from '../../shared/ui/Field';
import { tools, type Tool } from './markdown-tools';

export function MarkdownField({
  value,
  readOnly,
  onChange,
}: {
  value: string;
  readOnly: string | null;
  onChange: (value: string) => void;
}) {
  const control = useFieldControl();
  const area = useRef<HTMLTextAreaElement>(null);
  const apply = (edit: (at: TextSelection) => TextSelection | null): boolean => {
    const element = area.current;
    const next = element && edit({ text: element.value, from: element.selectionStart, to: element.selectionEnd });
    if (!element || !next) return false;
    // Rendered synchronously, because setting a new value resets the selection.
    flushSync(() => onChange(next.text));
    element.focus();
    element.setSelectionRange(next.from, next.to);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const tool = tools.find(each => matches(each.keys, event));
    const done = tool ? apply(tool.apply) : event.key === 'Enter' && isPlain(event) && apply(continueList);
    if (done) event.preventDefault();
  };
  return (
    <div className="overflow-hidden rounded-control border border-edge focus-within:outline-2 focus-within:outline-focus hover:border-ink has-aria-invalid:border-danger">
      <Toolbar area={area} readOnly={readOnly} onTool={tool => apply(tool.apply)} />
      <textarea
        {...control}
        ref={area}
        value={value}
        rows={4}
        disabled={readOnly !== null}
        className="control block rounded-none border-0! focus-visible:outline-none"
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** A toolbar with a single tab stop; arrow keys move between its buttons. */
function Toolbar({
  area,
  readOnly,
  onTool,
}: {
  area: RefObject<HTMLTextAreaElement | null>;
  readOnly: string | null;
  onTool: (tool: Tool) => void;
}) {
  const [current, setCurrent] = useState(0);
  const moveFocus = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key === 'Escape') area.current?.focus();
    if (by === 0) return;
    event.preventDefault();
    const next = (current + by + tools.length) % tools.length;
    setCurrent(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // The buttons inside receive the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      role="toolbar"
      aria-label={t.text.formatting}
      onKeyDown={moveFocus}
      className="flex flex-wrap gap-0.5 border-b border-line bg-sunken p-1"
    >
      {tools.map((tool, index) => (
        <IconButton
          key={tool.name}
          label={t.tools[tool.name]}
          hint={formatKeys(tool.keys).join(' ')}
          icon={tool.icon}
          tabIndex={index === current ? 0 : -1}
          reason={readOnly}
          onFocus={() => setCurrent(index)}
          onClick={() => onTool(tool)}
        />
      ))}
    </div>
  );
}

const isPlain = (event: KeyboardEvent): boolean =>
  !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
