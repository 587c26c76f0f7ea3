import { t } from '../../shared/i18n/en/shell';
import { setSingleKeys, useSingleKeys, useCurrentCommands, type Command } from '../../shared/ui/commands';
import { Dialog } from '../../shared/ui/Dialog';
import { Checkbox } from '../../shared/ui/Field';
import { Keys } from '../../shared/ui/Keys';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const commands = useCurrentCommands().filter(each => each.keys);
  const on = useSingleKeys();
  const groups = [...new Set(commands.map(each => each.group))];
  return (
    <Dialog open wide onOpenChange={onClose} title={t.shortcuts.title} description={t.shortcuts.description}>
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {groups.map(group => (
          <Group key={group} name={group} commands={commands.filter(each => each.group === group)} />
        ))}
      </div>
      <div className="mt-6 border-t border-line pt-4">
        <Checkbox
          label={t.shortcuts.singleKeys}
          hint={t.shortcuts.singleKeysHint}
          checked={on}
          onChange={event => setSingleKeys(event.target.checked)}
        />
      </div>
    </Dialog>
  );
}

function Group({ name, commands }: { name: string; commands: readonly Command[] }) {
  return (
    <section aria-label={name} className="min-w-0">
      <h3 className="text-sm font-semibold">{name}</h3>
      <dl className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {commands.map(({ id, name: what, keys }) => (
          <div key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <dt className="min-w-0 wrap-anywhere text-muted">{what}</dt>
            <dd className="ml-auto flex flex-wrap items-center justify-end gap-2">
              {keys?.map(each => (
                <Keys key={each} keys={each} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
