import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTourCreateMutation, useTourDuplicateMutation } from '../../generated/hooks';
import { TourCreateInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { failedWith } from '../../shared/api/app-error';
import { evictQuery } from '../../shared/api/cache';
import { runMutation, type Outcome } from '../../shared/api/run-mutation';
import { t } from '../../shared/i18n/en/tour';
import { currentLanguage } from '../../shared/i18n/locale';
import { paths } from '../../shared/lib/paths';
import { slugFor, suggestSlug } from '../../shared/lib/slug';
import { useForm } from '../../shared/lib/use-form';
import { Dialog } from '../../shared/ui/Dialog';
import { DialogForm } from '../../shared/ui/DialogForm';
import { Field, Input } from '../../shared/ui/Field';
import { SlugField } from '../../shared/ui/SlugField';
import { useWorkspace } from '../workspace/workspace-context';
import { setInitialContent } from './initial-content';
import { LanguageSelect } from './LanguageSelect';
import { templates, type Template } from './templates';

interface Values {
  readonly title: string;
  readonly slug: string;
  readonly locale: string;
}

export interface TourToCopy {
  readonly id: string;
  readonly title: string;
}

export function TourCreateDialog({
  open,
  copy,
  onOpenChange,
}: {
  open: boolean;
  copy?: TourToCopy;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={copy ? t.create.duplicateTitle(copy.title) : t.create.new}
      description={copy ? t.create.duplicateText : t.create.newText}
    >
      <TourCreateForm copy={copy} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TourCreateForm({ copy, onDone }: { copy: TourToCopy | undefined; onDone: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [create] = useTourCreateMutation({ update: cache => evictQuery(cache, 'tours') });
  const [duplicate] = useTourDuplicateMutation({ update: cache => evictQuery(cache, 'tours') });
  const [template, setTemplate] = useState(() => templates()[0]);
  const title = copy ? t.create.copyOf(copy.title).slice(0, TourCreateInputRules.fields.title.length.max) : '';
  const createTour = async (values: Values): Promise<Outcome<string>> => {
    if (copy) {
      const { title, slug } = values;
      const outcome = await runMutation(duplicate({ variables: { id: copy.id, title, slug } }));
      return outcome.ok ? { ok: true, data: outcome.data.tourDuplicate.slug } : outcome;
    }
    const outcome = await runMutation(create({ variables: { input: { workspaceId: workspace.id, ...values } } }));
    if (!outcome.ok) return outcome;
    const { content = null, name = '' } = template ?? {};
    if (content) {
      const { id } = outcome.data.tourCreate;
      setInitialContent(id, { content: { ...content, locales: [values.locale] }, name: t.create.template(name) });
    }
    return { ok: true, data: outcome.data.tourCreate.slug };
  };
  const form = useForm({
    initial: { title, slug: suggestSlug(title), locale: currentLanguage() as string },
    check: values => checkInput(TourCreateInputRules, { workspaceId: workspace.id, ...values }),
    send: async values => {
      const outcome = await createTour(values);
      if (!outcome.ok) return outcome.error;
      onDone();
      void navigate({ to: paths.tour, params: { workspace: workspace.slug, tour: outcome.data } });
      return null;
    },
  });
  const slugError = form.error && failedWith<'TourCreate'>(form.error, 'SLUG_TAKEN') ? form.error.message : null;
  return (
    <DialogForm
      form={{ ...form, error: slugError ? null : form.error }}
      action={copy ? t.create.duplicate : t.create.create}
      onCancel={onDone}
    >
      <Field label={t.title.label} error={form.problem('title')}>
        <Input
          value={form.values.title}
          onChange={event => {
            const title = event.target.value;
            form.set({ title, slug: slugFor(title, { name: form.values.title, slug: form.values.slug }) });
          }}
          onBlur={() => form.touch('title')}
          placeholder={t.create.example}
        />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SlugField
          value={form.values.slug}
          hint={t.create.addressHint}
          error={slugError ?? form.problem('slug')}
          onChange={slug => form.set({ slug })}
          onLeave={() => form.touch('slug')}
        />
        {copy ? null : (
          <Field label={t.create.language} error={form.problem('locale')} hint={t.create.languageHint}>
            <LanguageSelect
              value={form.values.locale}
              onChange={locale => form.set({ locale })}
              onLeave={() => form.touch('locale')}
            />
          </Field>
        )}
      </div>
      {copy ? null : <Templates value={template} onChange={setTemplate} />}
    </DialogForm>
  );
}

function Templates({ value, onChange }: { value: Template | undefined; onChange: (template: Template) => void }) {
  const group = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{t.create.startFrom}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {templates().map(template => (
          <label
            key={template.id}
            className="relative grid min-w-0 cursor-pointer content-start sm:first:col-span-2 rounded-control border border-line px-3 py-2 hover:border-edge has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={group}
              checked={template.id === value?.id}
              onChange={() => onChange(template)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            <span className="text-sm font-medium">{template.name}</span>
            <span className="text-sm text-muted">{template.description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
