import { Dialog } from 'radix-ui';
import type { Workspace } from '../../features/workspace/workspace-context';
import { t } from '../../shared/i18n/en/shell';
import { IconButton } from '../../shared/ui/Button';
import { Logo } from '../../shared/ui/Logo';
import { WorkspaceNav } from './WorkspaceNav';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';

export function MobileMenu({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <div data-dialog="" className="fixed inset-0 z-40 animate-appear bg-backdrop">
          <Dialog.Content
            aria-describedby={undefined}
            className="flex h-full w-72 max-w-[85vw] flex-col gap-5 overflow-y-auto bg-sunken p-4 shadow-raised"
          >
            <div className="flex items-center justify-between">
              <Dialog.Title className="flex items-center gap-2 font-semibold">
                <Logo />
                Waypost
              </Dialog.Title>
              <Dialog.Close asChild>
                <IconButton label={t.frame.closeMenu} icon="close" />
              </Dialog.Close>
            </div>
            <WorkspaceSwitcher current={workspace} />
            <WorkspaceNav workspace={workspace} />
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
