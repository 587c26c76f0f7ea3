import { describe, expect, it } from 'vitest';
import { createReportedEvents } from './reported-events';

function storageOf(first: Record<string, string> = {}) {
  const entries = new Map(Object.entries(first));
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}

describe('events that the server has not heard of', () => {
  it('are told once a day, whatever the visit', () => {
    const storage = storageOf();
    let day = '2026-11-23';
    const visit = () => createReportedEvents(storage, 'told', () => day);
    const isUnreported = visit();
    expect(['searched', 'searched', 'ordered'].map(isUnreported)).toEqual([true, false, true]);
    expect(visit()('searched')).toBe(false);
    day = '2026-11-24';
    expect([visit()('searched'), isUnreported('ordered'), isUnreported('ordered')]).toEqual([true, true, false]);
  });

  it('are known within a visit where nothing can be stored', () => {
    const isUnreported = createReportedEvents(null, 'told');
    expect([isUnreported('searched'), isUnreported('searched')]).toEqual([true, false]);
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(createReportedEvents(full, 'told')('searched')).toBe(true);
  });

  it('are none where the server would refuse their name', () => {
    expect(['', 'no spaces', 'Ü'].map(createReportedEvents(null, 'told'))).toEqual([false, false, false]);
  });

  it('survive what something else has stored, and end where a script makes them up', () => {
    for (const stored of ['{', '[]', '{"day":3,"names":[]}', '{"day":"2026-11-23","names":"searched"}'])
      expect(createReportedEvents(storageOf({ told: stored }), 'told', () => '2026-11-23')('searched')).toBe(true);
    const isUnreported = createReportedEvents(null, 'told');
    const news = Array.from({ length: 300 }, (_, index) => isUnreported(`made_up_${index}`));
    expect(news.filter(Boolean)).toHaveLength(200);
  });
});
