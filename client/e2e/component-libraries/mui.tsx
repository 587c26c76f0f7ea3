import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Menu,
  MenuItem,
  Popover,
  Select,
  TextField,
} from '@mui/material';
import { useState } from 'react';
import { report, start } from './application';

function Page() {
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const [details, setDetails] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const [color, setColor] = useState('red');
  return (
    <>
      <h1 id="heading">Lamps</h1>
      <Button id="menu" aria-haspopup="menu" onClick={event => setMenu(event.currentTarget)}>
        Actions
      </Button>
      <Menu anchorEl={menu} open={menu !== null} onClose={() => setMenu(null)}>
        <MenuItem onClick={() => setMenu(null)}>Copy</MenuItem>
        <MenuItem
          id="rename"
          onClick={() => {
            setMenu(null);
            setOpen(true);
          }}
        >
          Rename
        </MenuItem>
      </Menu>
      <Dialog open={open} onClose={() => setOpen(false)}>
        <form
          onSubmit={event => {
            event.preventDefault();
            report('submit');
            setOpen(false);
          }}
        >
          <DialogTitle>Rename</DialogTitle>
          <DialogContent>
            <TextField id="name" label="Name" />
          </DialogContent>
          <DialogActions>
            <Button id="save" type="submit">
              Save
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      <Select
        id="color"
        value={color}
        onChange={({ target }) => {
          report(target.value);
          setColor(target.value);
        }}
      >
        <MenuItem value="red">Red</MenuItem>
        <MenuItem value="blue" id="blue">
          Blue
        </MenuItem>
      </Select>
      <Button id="details" onClick={event => setDetails(event.currentTarget)}>
        Details
      </Button>
      <Popover
        open={details !== null}
        anchorEl={details}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        onClose={() => setDetails(null)}
      >
        <Button id="agree" onClick={() => report('agree')}>
          Agree
        </Button>
      </Popover>
    </>
  );
}

start(<Page />);
