import { Button, Dropdown, Input, Modal, Popover, Select } from 'antd';
import { useState } from 'react';
import { report, start } from './application';

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <h1 id="heading">Lamps</h1>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'copy', label: 'Copy' },
            {
              key: 'rename',
              label: <span id="rename">Rename</span>,
              // Otherwise the Enter key that chooses the item also presses the button of the dialog that gets the focus.
              onClick: () => setTimeout(() => setOpen(true)),
            },
          ],
        }}
      >
        <Button id="menu">Actions</Button>
      </Dropdown>
      <Modal title="Rename" open={open} footer={null} onCancel={() => setOpen(false)}>
        <form
          onSubmit={event => {
            event.preventDefault();
            report('submit');
            setOpen(false);
          }}
        >
          <Input id="name" aria-label="Name" />
          <Button id="save" htmlType="submit">
            Save
          </Button>
        </form>
      </Modal>
      <Select
        className="color"
        style={{ width: 120 }}
        placeholder="Color"
        onChange={report}
        options={[
          { value: 'red', label: 'Red' },
          { value: 'blue', label: <span id="blue">Blue</span> },
        ]}
      />
      <Popover
        trigger="click"
        content={
          <Button id="agree" onClick={() => report('agree')}>
            Agree
          </Button>
        }
      >
        <Button id="details">Details</Button>
      </Popover>
    </>
  );
}

start(<Page />);
