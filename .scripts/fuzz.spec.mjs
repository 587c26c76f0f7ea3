import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coverage, TARGETS } from './lib/fuzz.mjs';

const FOLDER = join(import.meta.dirname, '../server/fuzz');

describe('the fuzzer', () => {
  it('runs all targets, which have seeds', () => {
    const source = readFileSync(join(FOLDER, 'src/lib.rs'), 'utf8');
    expect([...source.matchAll(/^ {4}\("([a-z-]+)",/gm)].map(([, name]) => name)).toEqual(TARGETS);
    expect(readdirSync(join(FOLDER, 'seeds')).toSorted()).toEqual([...TARGETS].toSorted());
  });

  it('reads how much code inputs reach', () => {
    const text = [
      'INFO: Loaded 1 modules   (52123 inline 8-bit counters): 52123 [0x1, 0x2), ',
      '#8\tINITED cov: 100 ft: 120 corp: 7/3Kb exec/s: 0 rss: 90Mb',
      '#20\tNEW    cov: 130 ft: 160 corp: 8/3Kb lim: 400 exec/s: 0 rss: 90Mb',
      '#900\tDONE   cov: 131 ft: 161 corp: 9/3Kb lim: 400 exec/s: 90 rss: 90Mb',
      'stat::number_of_executed_units: 900',
    ].join('\n');
    expect(coverage(text)).toEqual({ counters: 52_123, first: 100, last: 131, executions: 900 });
    expect(coverage('INFO: Running with entropic power schedule').counters).toBe(0);
  });
});
