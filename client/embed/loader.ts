// The script of customers' pages: <script async src="https://…/embed/v1.js" data-key="wp_pub_…"></script>. It defines
// the global `waypost`, which npm packages and the page use, and starts the site of its tag.

import type { Waypost } from '../packages/browser/src/types';
import { createWaypost } from './waypost';

/** The page's queue before the script has loaded, or the API of another copy of the script. */
const before = window.waypost;
// An element with this id is also a property of the window.
const existing = before && 'init' in before ? (before as Waypost) : null;
const waypost = existing ?? (window.waypost = createWaypost());

const script = document.currentScript as HTMLScriptElement | null;
const key = script?.dataset['key'];
if (script && key) waypost.init({ key, origin: new URL(script.src).origin });
if (Array.isArray(before)) for (const use of before) waypost.push(use);
