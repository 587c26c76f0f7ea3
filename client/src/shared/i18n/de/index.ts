import type { Namespace } from '../messages';
import { accessToken } from './access-token';
import { audit } from './audit';
import { auth } from './auth';
import { common } from './common';
import { demo } from './demo';
import { editor } from './editor';
import { errors } from './errors';
import { explain } from './explain';
import { fields } from './fields';
import { insights } from './insights';
import { invitation } from './invitation';
import { player } from './player';
import { release } from './release';
import { review } from './review';
import { segment } from './segment';
import { settings } from './settings';
import { shell } from './shell';
import { shop } from './shop';
import { site } from './site';
import { steps } from './steps';
import { templates } from './templates';
import { theme } from './theme';
import { tour } from './tour';
import { ui } from './ui';
import { visitor } from './visitor';
import { workspace } from './workspace';

/** A missing or superfluous text does not compile. */
export const messages = {
  audit,
  auth,
  common,
  editor,
  errors,
  fields,
  explain,
  insights,
  accessToken,
  invitation,
  demo,
  player,
  release,
  visitor,
  review,
  segment,
  settings,
  shell,
  shop,
  site,
  steps,
  templates,
  theme,
  tour,
  ui,
  workspace,
} satisfies Readonly<Record<Namespace, object>>;
