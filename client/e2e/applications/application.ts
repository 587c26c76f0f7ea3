/** An application that is not ours, with the tour that plays on its pages. */
import type { Page } from '@playwright/test';
import { run, type Service } from '../../../.scripts/lib/processes.mjs';

export interface Installation {
  /** The folder of the installed packages. It is kept for the next run. */
  folder: string;
  /** An empty folder for data and configuration. */
  data: string;
  port: number;
  /** Origin of the Waypost server. */
  waypost: string;
  /** The site's key. */
  key: string;
}

export interface Application {
  /** Name and version, which name the folder of the packages. */
  name: string;
  /** Installs exact versions from package registries. */
  install: (folder: string) => Promise<void>;
  /** Starts the application with Waypost's script on its pages. */
  start: (installation: Installation) => Promise<Pick<Service, 'stop'>>;
  path: string;
  steps: readonly Step[];
}

export interface Step {
  /** A selector of the highlighted element; null for the center of the page. */
  on: string | null;
  /** Selector of an element whose appearance completes the step, or `click` for a click on the highlighted one. */
  until?: string;
  /** Path pattern of the pages that show the step. */
  page?: string;
  /** True if the page can be used during the step. */
  free?: boolean;
  side?: 'LEFT';
  /** True if the page is loaded again during the step. */
  reload?: boolean;
  /** Actions that complete the step. Default: its button. */
  use?: (page: Page) => Promise<unknown>;
}

export const scriptTag = ({ waypost, key }: Installation, attributes = ''): string =>
  `<script async src="${waypost}/embed/v1.js" data-key="${key}"${attributes}></script>`;

/** Runs an installer, whose output is shown if it fails. */
export async function install(program: string, args: readonly string[], cwd?: string): Promise<void> {
  const { code, output } = await run(program, args, { output: 'collect', ...(cwd === undefined ? {} : { cwd }) });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}\n${output}`);
}
