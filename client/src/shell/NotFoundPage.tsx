import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../lib/page-title';
import { paths } from '../paths';
import { buttonStyle } from '../ui/button-style';
import { EmptyState } from '../ui/EmptyState';

/** For things that are gone or that this person may not see. */
export function NotFound({ thing }: { thing: string }) {
  usePageTitle('Not found');
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10">
      <EmptyState
        heading="h1"
        title={`No such ${thing}`}
        action={
          <Link to={paths.home} className={buttonStyle('primary')}>
            Back to the start
          </Link>
        }
      >
        This {thing} does not exist, or you cannot see it. It may have been renamed or removed.
      </EmptyState>
    </div>
  );
}

export const NotFoundPage = () => <NotFound thing="page" />;
