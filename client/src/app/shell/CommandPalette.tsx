import { useNavigate } from '@tanstack/react-router';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Workspace } from '../../features/workspace/workspace-context';
import { useTourChoicesQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/shell';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { useCurrentCommands, type Command } from '../../shared/ui/commands';
import { Icon } from '../../shared/ui/Icon';
import { Keys } from '../../shared/ui/Keys';
import { ListOption } from '../../shared/ui/ListOption';
import { useActiveOption } from '../../shared/ui/use-active-option';
import { searchCommands } from './search-commands';

const MAX_TOURS = 6;

export function CommandPalette({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const [text, setText] = useState('');
  const chosen = useRef<Command | null>(null);
  const [opener] = useState(() => document.activeElement);
  const id = useId();
  const tours = useTourCommands(workspace, text);
  const sites = useSiteCommands(workspace);
  const commands = useCurrentCommands().filter(each => each.run && !each.keysOnly);
  const isSearch = text.trim() !== '';
  const matches = [...searchCommands(isSearch ? [...commands, ...sites] : commands, text), ...tours];
  const visitors = useVisitorsCommand(workspace, text.trim());
  const nothing = matches.length === 0;
  const groups = groupCommands(nothing && isSearch ? [visitors] : matches);
  const options = groups.flatMap(group => group.commands);
  const first = Math.max(
    0,
    options.findIndex(each => !each.reason),
  );
  const active = useActiveOption(options.length, first);

  const choose = (command: Command | undefined) => {
    if (!command || command.reason) return;
    chosen.current = command;
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(options[active.at]);
    else if (!active.move(event.key)) return;
    event.preventDefault();
  };

  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <div
          data-dialog=""
          className="fixed inset-0 z-40 animate-appear overflow-y-auto bg-backdrop p-3 sm:p-6 sm:pt-[12vh]"
        >
          <Dialog.Content
            aria-describedby={undefined}
            onCloseAutoFocus={event => {
              // The command may depend on the focus or move it.
              event.preventDefault();
              if (opener instanceof HTMLElement) opener.focus();
              chosen.current?.run?.();
            }}
            className="mx-auto flex max-h-[min(34rem,75vh)] w-full max-w-xl animate-rise flex-col overflow-hidden rounded-card border border-line bg-raised shadow-raised outline-none"
          >
            <Dialog.Title className="sr-only">{t.palette.title}</Dialog.Title>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Icon name="search" className="size-5 text-muted" />
              <input
                role="combobox"
                aria-label={t.palette.label}
                aria-expanded="true"
                aria-controls={`${id}-list`}
                aria-activedescendant={options[active.at] ? `${id}-${active.at}` : undefined}
                aria-autocomplete="list"
                placeholder={t.palette.placeholder}
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={event => {
                  setText(event.target.value);
                  active.reset();
                }}
                onKeyDown={onKeyDown}
                className="min-w-0 grow bg-transparent py-3.5 text-base outline-none"
              />
            </div>
            {nothing ? <p className="px-4 pt-4 pb-2 text-center text-muted">{t.palette.nothing(text)}</p> : null}
            <div
              id={`${id}-list`}
              role="listbox"
              aria-label={t.palette.commands}
              className="min-h-0 overflow-y-auto p-1.5"
            >
              {groups.map(group => (
                <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
                  <p id={`${id}-${group.name}`} className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">
                    {group.name}
                  </p>
                  {group.commands.map(command => {
                    const index = options.indexOf(command);
                    return (
                      <ListOption
                        key={command.id}
                        id={`${id}-${index}`}
                        active={index === active.at}
                        selected={index === active.at}
                        disabled={Boolean(command.reason)}
                        onHover={() => active.activate(index)}
                        onChoose={() => choose(command)}
                      >
                        <CommandLine command={command} />
                      </ListOption>
                    );
                  })}
                </div>
              ))}
            </div>
            <p role="status" className="sr-only">
              {text === '' ? '' : t.palette.found(matches.length)}
            </p>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandLine({ command: { name, icon, keys, reason } }: { command: Command }) {
  return (
    <>
      <Icon name={icon ?? 'right'} className="mr-1 size-4 text-muted" />
      <span className="grid min-w-0 grow">
        <span className={cx('truncate', Boolean(reason) && 'text-muted')}>{name}</span>
        {reason ? <span className="text-xs text-muted">{reason}</span> : null}
      </span>
      {keys?.[0] ? <Keys keys={keys[0]} /> : null}
    </>
  );
}

function useTourCommands(workspace: Workspace, text: string): Command[] {
  const navigate = useNavigate();
  const search = useDeferredValue(text.trim().slice(0, 80));
  const { data } = useTourChoicesQuery({
    variables: { workspaceId: workspace.id, search, first: MAX_TOURS },
    skip: search === '',
  });
  if (search === '') return [];
  return (data?.tours.nodes ?? []).map((tour): Command => ({
    id: `tour.${tour.id}`,
    name: tour.title,
    group: t.nav.tours,
    icon: 'tours',
    run: () => void navigate({ to: paths.tour, params: { workspace: workspace.slug, tour: tour.slug } }),
  }));
}

function useSiteCommands({ slug, sites }: Workspace): Command[] {
  const navigate = useNavigate();
  return sites.map((site): Command => ({
    id: `site.${site.id}`,
    name: site.name,
    group: t.nav.sites,
    icon: 'sites',
    run: () => void navigate({ to: paths.site, params: { workspace: slug, site: site.id } }),
  }));
}

function useVisitorsCommand({ slug }: Workspace, search: string): Command {
  const navigate = useNavigate();
  return {
    id: 'visitors.search',
    name: t.palette.visitors(search),
    group: t.nav.visitors,
    icon: 'person',
    run: () => void navigate({ to: paths.visitors, params: { workspace: slug }, search: { search } }),
  };
}

function groupCommands(commands: readonly Command[]): { name: string; commands: Command[] }[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const group = groups.get(command.group);
    if (group) group.push(command);
    else groups.set(command.group, [command]);
  }
  return [...groups].map(([name, commands]) => ({ name, commands }));
}
