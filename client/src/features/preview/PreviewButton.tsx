import { lazy, Suspense, useState } from 'react';
import { useThemesQuery } from '../../generated/hooks';
import { Button } from '../../shared/ui/Button';
import { themeStyleOf } from '../theme/theme-style';
import type { DraftContent } from '../tour/draft';
import { useWorkspace } from '../workspace/workspace-context';

const TourPreview = lazy(async () => ({ default: (await import('./TourPreview')).TourPreview }));

export function PreviewButton({ tourId, content, label }: { tourId: string; content: DraftContent; label: string }) {
  const { slug } = useWorkspace();
  const [open, setOpen] = useState(false);
  const themes = useThemesQuery({ variables: { slug }, skip: !open }).data?.workspace?.themes;
  return (
    <>
      <Button size="small" icon="play" busy={open && !themes} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && themes ? (
        <Suspense fallback={null}>
          <TourPreview
            tourId={tourId}
            steps={content.steps}
            locales={content.locales}
            theme={themeStyleOf(themes, content.themeId)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
