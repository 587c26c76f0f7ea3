import { audit } from './de/audit';
import { auth } from './de/auth';
import { common } from './de/common';
import { errors } from './de/errors';
import { format } from './de/format';
import { roles } from './de/roles';
import { shell } from './de/shell';
import { ui } from './de/ui';
import { workspace } from './de/workspace';

/** Everything in German. A text or an area that is missing here, or one too many, does not compile. */
export const german = {
  audit,
  auth,
  common,
  errors,
  format,
  roles,
  shell,
  ui,
  workspace,
};
