import {
  Dialog,
  DialogPanel,
  DialogTitle,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Popover,
  PopoverButton,
  PopoverPanel,
} from '@headlessui/react';
import { useState } from 'react';
import { report, start } from './application';

function Page() {
  const [open, setOpen] = useState(false);
  const [color, setColor] = useState('Color');
  return (
    <>
      <h1 id="heading">Lamps</h1>
      <Menu>
        <MenuButton id="menu">Actions</MenuButton>
        <MenuItems anchor="bottom start">
          <MenuItem as="button">Copy</MenuItem>
          <MenuItem as="button" id="rename" onClick={() => setOpen(true)}>
            Rename
          </MenuItem>
        </MenuItems>
      </Menu>
      <Dialog open={open} onClose={setOpen}>
        <DialogPanel style={{ position: 'fixed', top: 200, left: 300 }}>
          <DialogTitle>Rename</DialogTitle>
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
        </DialogPanel>
      </Dialog>
      <Listbox
        value={color}
        onChange={next => {
          report(next);
          setColor(next);
        }}
      >
        <ListboxButton id="color">{color}</ListboxButton>
        <ListboxOptions anchor="bottom start">
          <ListboxOption value="red">Red</ListboxOption>
          <ListboxOption value="blue" id="blue">
            Blue
          </ListboxOption>
        </ListboxOptions>
      </Listbox>
      <Popover>
        <PopoverButton id="details">Details</PopoverButton>
        <PopoverPanel anchor="bottom start">
          <button id="agree" onClick={() => report('agree')}>
            Agree
          </button>
        </PopoverPanel>
      </Popover>
    </>
  );
}

start(<Page />);
