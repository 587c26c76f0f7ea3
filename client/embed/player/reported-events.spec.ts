import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasFormat } from '../../src/generated/traitql';
import { createReportedEvents } from './reported-events';

function storageOf(first: Record<string, string> = {}) {
  const entries = new Map(Object.entries(first));
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}

describe('unreported events', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-23T23:59:59Z'), toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are reported once a day, not once a visit', () => {
    const storage = storageOf();
    const visit = () => createReportedEvents(storage, 'key');
    const isUnreported = visit();
    expect(['searched', 'searched', 'ordered'].map(isUnreported)).toEqual([true, false, true]);
    expect(visit()('searched')).toBe(false);
    vi.setSystemTime('2026-11-24T00:00:00Z');
    expect([visit()('searched'), isUnreported('ordered'), isUnreported('ordered')]).toEqual([true, true, false]);
  });

  it('are reported once a visit without storage', () => {
    const isUnreported = createReportedEvents(null, 'key');
    expect([isUnreported('searched'), isUnreported('searched')]).toEqual([true, false]);
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(createReportedEvents(full, 'key')('searched')).toBe(true);
  });

  it('do not include names that the server would reject', () => {
    const names = ['', 'no spaces', 'Ü', 'a', '1a', 'a-b_1', 'A', 'a'.repeat(40), 'b'.repeat(41)];
    expect(names.map(createReportedEvents(null, 'key'))).toEqual(names.map(name => hasFormat('KEY', name)));
  });

  it('ignore invalid stored data and are limited to 200 names', () => {
    for (const stored of ['{', '[]', '2026-11-22 searched'])
      expect(createReportedEvents(storageOf({ key: stored }), 'key')('searched')).toBe(true);
    const isUnreported = createReportedEvents(null, 'key');
    const results = Array.from({ length: 300 }, (_, index) => isUnreported(`made_up_${index}`));
    expect(results.filter(Boolean)).toHaveLength(200);
  });
});
