import { AppearanceMenu } from '../../shared/ui/AppearanceMenu';
import { Logo } from '../../shared/ui/Logo';
import { SessionMenu } from '../sign-in/screens/SessionMenu';

export function AccountHeader() {
  return (
    <header className="flex items-center justify-between gap-3 border-b border-line bg-sunken px-4 py-2 sm:px-8">
      <span className="flex items-center gap-2 font-semibold">
        <Logo />
        Waypost
      </span>
      <span className="flex items-center gap-1">
        <span data-tour="session-menu">
          <SessionMenu />
        </span>
        <AppearanceMenu />
      </span>
    </header>
  );
}
