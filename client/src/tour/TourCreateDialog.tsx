import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { act } from '../api/act';
import { failedWith } from '../api/errors';
import { forget } from '../api/cache';
import { useTourCreateMutation } from '../generated/hooks';
import { TourCreateInputRules } from '../generated/rules';
import { checkInput } from '../generated/traitql';
import { suggestSlug } from '../lib/slug';
import { useForm } from '../lib/use-form';
import { paths } from '../paths';
import { Button } from '../ui/Button';
import { Actions, Dialog } from '../ui/Dialog';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Input } from '../ui/Field';
import { useWorkspace } from '../workspace/workspace-context';

export function TourCreateDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New tour"
      description="You can change the title at any time."
    >
      <TourCreateForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TourCreateForm({ onCancel }: { onCancel: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [create] = useTourCreateMutation({ update: cache => forget(cache, 'tours') });
  const [ownSlug, setOwnSlug] = useState(false);
  const form = useForm({
    initial: { title: '', slug: '' },
    check: values => checkInput(TourCreateInputRules, { workspaceId: workspace.id, ...values }),
    send: async values => {
      const outcome = await act(create({ variables: { input: { workspaceId: workspace.id, ...values } } }));
      if (!outcome.ok) return outcome.error;
      void navigate({ to: paths.tour, params: { workspace: workspace.slug, tour: outcome.data.tourCreate.slug } });
      return null;
    },
  });
  const taken = form.error && failedWith<'TourCreate'>(form.error, 'SLUG_TAKEN') ? form.error.message : null;
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {form.error && !taken ? <ErrorNote error={form.error} /> : null}
      <Field label="Title" error={form.problem('title')}>
        <Input
          value={form.values.title}
          onChange={event => {
            const title = event.target.value;
            form.set(ownSlug ? { title } : { title, slug: suggestSlug(title) });
          }}
          onBlur={() => form.leave('title')}
          placeholder="Getting started"
        />
      </Field>
      <Field
        label="Address"
        error={taken ?? form.problem('slug')}
        hint="Names the tour in links and in the page's own code. It stays as it is."
      >
        <Input
          value={form.values.slug}
          onChange={event => {
            setOwnSlug(event.target.value !== '');
            form.set({ slug: event.target.value });
          }}
          onBlur={() => form.leave('slug')}
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Actions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit" busy={form.busy}>
          Create tour
        </Button>
      </Actions>
    </form>
  );
}
