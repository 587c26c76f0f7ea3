import { useRef, useState, type FormEvent, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { t as common } from '../../../shared/i18n/en/common';
import { t } from '../../../shared/i18n/en/editor';
import { addImage, continueList, type TextSelection } from '../../../shared/lib/text-edit';
import { Button, IconButton } from '../../../shared/ui/Button';
import { matches, formatKeys } from '../../../shared/ui/commands';
import { Actions, Dialog } from '../../../shared/ui/Dialog';
import { Field, Input, useFieldControl } from '../../../shared/ui/Field';
import { tools, type Tool } from '../model/markdown-tools';

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
    // A new value resets the selection.
    flushSync(() => onChange(next.text));
    element.focus();
    element.setSelectionRange(next.from, next.to);
    return true;
  };
  const [image, setImage] = useState<{ at: TextSelection } | null>(null);
  const run = (tool: Tool): boolean => {
    if (tool.apply) return apply(tool.apply);
    const element = area.current;
    if (!element) return false;
    setImage({ at: { text: element.value, from: element.selectionStart, to: element.selectionEnd } });
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const tool = tools.find(each => matches(each.keys, event));
    const done = tool ? run(tool) : event.key === 'Enter' && isPlain(event) && apply(continueList);
    if (done) event.preventDefault();
  };
  return (
    <div className="overflow-hidden rounded-control border border-edge focus-within:outline-2 focus-within:outline-focus hover:border-ink has-aria-invalid:border-danger">
      <Toolbar area={area} readOnly={readOnly} onTool={run} />
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
      {image ? (
        <ImageDialog
          selected={image.at.text.slice(image.at.from, image.at.to)}
          onClose={() => setImage(null)}
          onAdd={added => {
            setImage(null);
            apply(() => addImage(image.at, added));
          }}
        />
      ) : null}
    </div>
  );
}

interface Image {
  readonly address: string;
  readonly description: string;
}

function ImageDialog({
  selected,
  onClose,
  onAdd,
}: {
  selected: string;
  onClose: () => void;
  onAdd: (image: Image) => void;
}) {
  const isAddress = /^https:\/\/\S+$/.test(selected);
  const [image, setImage] = useState<Image>({
    address: isAddress ? selected : '',
    description: isAddress ? '' : selected.trim(),
  });
  const [submitted, setSubmitted] = useState(false);
  const addressProblem = /^https:\/\/[^\s()<>]+$/.test(image.address.trim()) ? null : t.text.imageAddressProblem;
  const descriptionProblem = image.description.trim() ? null : t.text.imageAltProblem;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React would submit the editor's forms.
    event.stopPropagation();
    setSubmitted(true);
    if (!addressProblem && !descriptionProblem) onAdd(image);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.text.imageTitle} description={t.text.imageText}>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <Field label={t.text.imageAddress} error={submitted ? addressProblem : null}>
          <Input
            type="url"
            value={image.address}
            onChange={event => setImage({ ...image, address: event.target.value })}
          />
        </Field>
        <Field label={t.text.imageAlt} hint={t.text.imageAltHint} error={submitted ? descriptionProblem : null}>
          <Input
            value={image.description}
            onChange={event => setImage({ ...image, description: event.target.value })}
          />
        </Field>
        <Actions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {t.text.imageAdd}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

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
    // Buttons receive the focus.
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
