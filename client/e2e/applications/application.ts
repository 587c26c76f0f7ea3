import type { Page } from '@playwright/test';
import { run, type Service } from '../../../.scripts/lib/processes.mjs';

export interface Installation {
  /** Kept for the next run. */
  folder: string;
  data: string;
  port: number;
  waypost: string;
  key: string;
}

export interface Application {
  name: string;
  install: (folder: string) => Promise<void>;
  start: (installation: Installation) => Promise<Pick<Service, 'stop'>>;
  path: string;
  steps: readonly Step[];
}

export interface Step {
  on: string | null;
  /** Selector whose appearance completes the step, or `click`. */
  until?: string;
  /** Path pattern of the pages that show the step. */
  page?: string;
  free?: boolean;
  side?: 'LEFT';
  reload?: boolean;
  /** Completes the step. Default: its button. */
  use?: (page: Page) => Promise<unknown>;
}

export const scriptTag = ({ waypost, key }: Installation, attributes = ''): string =>
  `<script async src="${waypost}/embed/v1.js" data-key="${key}"${attributes}></script>`;

export async function install(program: string, args: readonly string[], cwd?: string): Promise<void> {
  const { code, output } = await run(program, args, { output: 'collect', ...(cwd === undefined ? {} : { cwd }) });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}\n${output}`);
}
