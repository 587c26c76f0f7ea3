import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { describe, expect, it, vi } from 'vitest';
import { toAppError } from '../api/app-error';
import { connectAuthSession } from '../api/auth-session';
import { cleanup, fireEvent, render, screen } from '../testing';
import { Button } from './Button';
import { ErrorNote, ErrorPanel } from './ErrorPanel';
import { Field, Input } from './Field';
import { Loaded } from './Loaded';
import { Menu, MenuItem } from './Menu';
import { Segments } from './Segments';
import { toast } from './toast';
import { Toasts } from './Toasts';

describe('a button with a reason', () => {
  it('is focusable, describes the reason, and does nothing', () => {
    const onClick = vi.fn();
    render(
      <Button reason="You are a viewer." onClick={onClick}>
        Release
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Release' });
    fireEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'You are a viewer.',
    );
  });

  it('does not submit a form', () => {
    const onSubmit = vi.fn();
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" reason="Nothing has changed.">
          Save
        </Button>
      </form>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('a field', () => {
  it('connects its label, its error and its hint to the control', () => {
    render(
      <Field label="Title" hint="Short." error="Must not be empty.">
        <Input defaultValue="" />
      </Field>,
    );
    const input = screen.getByLabelText('Title');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const texts = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map(id => document.getElementById(id)?.textContent);
    expect(texts).toEqual(['Short.', 'Must not be empty.']);
  });
});

describe('a segmented control', () => {
  it('is a group of radio buttons', () => {
    const onChange = vi.fn();
    const choices = [
      { value: 'ALL', label: 'All' },
      { value: 'LIVE', label: 'Live' },
    ] as const;
    render(<Segments label="Status" value="ALL" choices={choices} onChange={onChange} />);
    expect(screen.getByRole('radiogroup', { name: 'Status' })).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Live' }));
    expect(onChange).toHaveBeenCalledWith('LIVE');
  });
});

describe('a menu', () => {
  it('is loaded when it opens for the first time, and keeps its trigger', async () => {
    const onSelect = vi.fn();
    render(
      <Menu trigger={<button type="button">More</button>}>
        <MenuItem onSelect={onSelect}>Duplicate</MenuItem>
        <MenuItem reason="It is the first." onSelect={onSelect}>
          Move up
        </MenuItem>
      </Menu>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    // Loading can exceed the default timeout.
    fireEvent.click(await screen.findByRole('menuitem', { name: /Move up/ }));
    expect(onSelect).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Duplicate' }));
    expect(onSelect).toHaveBeenCalledOnce();
    expect(await screen.findByRole('button', { name: 'More' })).toBeTruthy();
  });
});

describe('a query', () => {
  const refetch = vi.fn(async () => undefined);
  const failure = new TypeError('Failed to fetch dynamically imported module: x');
  const show = (result: { data: string | undefined; error?: Error }) =>
    render(
      <Loaded result={{ ...result, refetch }} label="Loading the tours">
        {text => <p>{text}</p>}
      </Loaded>,
    );

  it('shows a placeholder and then its data', () => {
    show({ data: undefined });
    expect(screen.getByRole('status', { name: 'Loading the tours' })).toBeTruthy();
    cleanup();
    show({ data: 'Three tours' });
    expect(screen.getByText('Three tours')).toBeTruthy();
  });

  it('shows its error and can be retried', () => {
    show({ data: undefined, error: failure });
    expect(screen.getByRole('alert').dataset['errorKind']).toBe('network');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it('keeps its data if a refetch fails', () => {
    show({ data: 'Three tours', error: failure });
    expect(screen.getByText('Three tours')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Can’t reach the server');
  });
});

describe('an error', () => {
  it('shows the request id', () => {
    const error = { ...toAppError(new Error('x is undefined')), reference: 'r-7' };
    render(<ErrorPanel error={error} />);
    expect(screen.getByRole('alert').textContent).toContain('Reference r-7');
  });

  const refusal = (reason: string, more = {}) => {
    const errors = [{ message: 'Sign in to continue.', extensions: { code: 'UNAUTHENTICATED', reason, ...more } }];
    return toAppError(new CombinedGraphQLErrors({ errors, data: null }));
  };

  it('of a rejected session offers to sign out, and sets the title of its page for its time', () => {
    const signOut = vi.fn<() => Promise<void>>(async () => {});
    const disconnect = connectAuthSession({ accountKey: () => 'ada', signOut });
    document.title = 'Signing you in · Waypost';
    const page = render(<ErrorPanel error={refusal('The access token has expired.')} heading="h1" />);
    expect(document.title).toBe('Your sign-in isn’t accepted here · Waypost');
    expect(screen.getByRole('alert').textContent).toContain('The access token has expired.');
    fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(signOut).toHaveBeenCalledOnce();
    page.unmount();
    expect(document.title).toBe('Signing you in · Waypost');
    disconnect();
  });

  it('of an opaque token names the settings that help, because signing in again does not', () => {
    render(<ErrorPanel error={refusal('The access token is opaque.', { unsupportedToken: true })} />);
    const text = screen.getByRole('alert').textContent;
    expect(text).toContain('Signing in again won’t help: ask your administrator to set WAYPOST_OIDC_TOKEN');
    expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
  });

  it('shows no request id if the message is sufficient', () => {
    const extensions = { code: 'EMPTY_TOUR', requestId: 'r-8' };
    const error = toAppError(new CombinedGraphQLErrors({ errors: [{ message: 'x', extensions }], data: null }));
    render(<ErrorNote error={error} />);
    expect(screen.getByRole('alert').textContent).toBe('Add at least one step.');
  });
});

describe('a notice', () => {
  it('offers an action once', () => {
    const run = vi.fn();
    render(<Toasts />);
    toast('The step is deleted.', { action: { label: 'Undo', run } });
    return screen.findByRole('button', { name: 'Undo' }).then(async undo => {
      fireEvent.click(undo);
      expect(run).toHaveBeenCalledOnce();
      await expect.poll(() => screen.queryByText('The step is deleted.')).toBeNull();
    });
  });
});
