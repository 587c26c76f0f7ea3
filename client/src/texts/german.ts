import { audit } from './de/audit';
import { auth } from './de/auth';
import { common } from './de/common';
import { editor } from './de/editor';
import { errors } from './de/errors';
import { explain } from './de/explain';
import { fields } from './de/fields';
import { format } from './de/format';
import { insights } from './de/insights';
import { invitation } from './de/invitation';
import { keys } from './de/keys';
import { participant } from './de/participant';
import { play } from './de/play';
import { player } from './de/player';
import { release } from './de/release';
import { review } from './de/review';
import { roles } from './de/roles';
import { shell } from './de/shell';
import { shop } from './de/shop';
import { site } from './de/site';
import { steps } from './de/steps';
import { templates } from './de/templates';
import { theme } from './de/theme';
import { tour } from './de/tour';
import { ui } from './de/ui';
import { workspace } from './de/workspace';

/** The German catalogue. A missing or superfluous text is a compile error. */
export const german = {
  audit,
  auth,
  common,
  editor,
  errors,
  fields,
  explain,
  format,
  insights,
  invitation,
  keys,
  play,
  player,
  release,
  participant,
  roles,
  review,
  shell,
  shop,
  site,
  steps,
  templates,
  theme,
  tour,
  ui,
  workspace,
};
