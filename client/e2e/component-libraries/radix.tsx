import { Dialog, DropdownMenu, Popover, Select } from 'radix-ui';
import { useState } from 'react';
import { report, start } from './application';

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <h1 id="heading">Lamps</h1>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger id="menu">Actions</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content sideOffset={8}>
            <DropdownMenu.Item>Copy</DropdownMenu.Item>
            <DropdownMenu.Item id="rename" onSelect={() => setOpen(true)}>
              Rename
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Overlay />
          <Dialog.Content aria-describedby={undefined} style={{ position: 'fixed', top: 200, left: 300 }}>
            <Dialog.Title>Rename</Dialog.Title>
            <form
              onSubmit={event => {
                event.preventDefault();
                report('submit');
                setOpen(false);
              }}
            >
              <input id="name" aria-label="Name" />
              <button id="save">Save</button>
            </form>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <Select.Root onValueChange={report}>
        <Select.Trigger id="color" aria-label="Color">
          <Select.Value placeholder="Color" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content position="popper">
            <Select.Viewport>
              <Select.Item value="red">
                <Select.ItemText>Red</Select.ItemText>
              </Select.Item>
              <Select.Item value="blue" id="blue">
                <Select.ItemText>Blue</Select.ItemText>
              </Select.Item>
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <Popover.Root>
        <Popover.Trigger id="details">Details</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content>
            <button id="agree" onClick={() => report('agree')}>
              Agree
            </button>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  );
}

start(<Page />);
