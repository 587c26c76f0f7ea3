// The script of customers' pages: <script async src="https://…/embed/v1.js" data-key="wp_pub_…"></script>. It defines
// the global `waypost`, and starts the site of its tag.

import type { Waypost } from './packages/browser/src/types';
import { createWaypost } from './waypost';

/** The page's queue before the script has loaded, or the API of another copy of the script. */
let before = window.waypost;
// An element with this id is also a property of the window.
const isApi = () => (before as Waypost | undefined)?.init;
const queue = Array.isArray(before) ? before : [];
if (!isApi()) {
  try {
    // The tours of a page also highlight elements in its frames, so a later frame uses the API of its page.
    before = parent.waypost;
  } catch {
    // The page around this frame has another origin.
  }
}
const waypost = (window.waypost = isApi() ? (before as Waypost) : createWaypost());

const script = document.currentScript as HTMLScriptElement | null;
const key = script?.dataset['key'];
if (script && key) waypost.init({ key, origin: new URL(script.src).origin });
for (const use of queue) waypost.push(use);
