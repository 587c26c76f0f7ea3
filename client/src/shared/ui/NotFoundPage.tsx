import { Link } from '@tanstack/react-router';
import { t } from '../i18n/en/shell';
import { usePageTitle } from '../lib/hooks';
import { paths } from '../lib/paths';
import { buttonStyle } from './button-style';
import { EmptyState } from './EmptyState';
import { PAGE_FRAME } from './Page';

export function NotFound({ thing }: { thing: keyof typeof t.notFound.things }) {
  usePageTitle(t.notFound.pageTitle);
  return (
    <div className={PAGE_FRAME}>
      <EmptyState
        heading="h1"
        title={t.notFound.things[thing].title}
        action={
          <Link to={paths.home} className={buttonStyle('primary')}>
            {t.notFound.back}
          </Link>
        }
      >
        {t.notFound.things[thing].text} {t.notFound.renamed}
      </EmptyState>
    </div>
  );
}

export const NotFoundPage = () => <NotFound thing="page" />;
