import { format } from './de/format';
import { shell } from './de/shell';

/** Everything in German. A text or an area that is missing here, or one too many, does not compile. */
export const german = {
  format,
  shell,
};
