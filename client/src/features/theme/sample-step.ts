import { t as player } from '../../shared/i18n/en/player';
import { t } from '../../shared/i18n/en/theme';
import type { MockStep } from './SpotlightMock';

/** The step that themes are shown with. */
export const sampleStep = (): MockStep => ({
  kind: 'SPOTLIGHT',
  title: t.sample.title,
  body: t.sample.body,
  side: 'BOTTOM',
  next: player.next,
  previous: player.previous,
  back: true,
  count: player.count(1, 3),
});
