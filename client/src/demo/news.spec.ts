import { describe, expect, it } from 'vitest';
import { createNews } from './news';

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
    const visit = () => createNews(storage, 'told', () => day);
    const isNews = visit();
    expect(['searched', 'searched', 'ordered'].map(isNews)).toEqual([true, false, true]);
    expect(visit()('searched')).toBe(false);
    day = '2026-11-24';
    expect([visit()('searched'), isNews('ordered'), isNews('ordered')]).toEqual([true, true, false]);
  });

  it('are known within a visit where nothing can be stored', () => {
    const isNews = createNews(null, 'told');
    expect([isNews('searched'), isNews('searched')]).toEqual([true, false]);
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(createNews(full, 'told')('searched')).toBe(true);
  });

  it('are none where the server would refuse their name', () => {
    expect(['', 'no spaces', 'Ü'].map(createNews(null, 'told'))).toEqual([false, false, false]);
  });

  it('survive what something else has stored, and end where a script makes them up', () => {
    for (const stored of ['{', '[]', '{"day":3,"names":[]}', '{"day":"2026-11-23","names":"searched"}'])
      expect(createNews(storageOf({ told: stored }), 'told', () => '2026-11-23')('searched')).toBe(true);
    const isNews = createNews(null, 'told');
    const news = Array.from({ length: 300 }, (_, index) => isNews(`made_up_${index}`));
    expect(news.filter(Boolean)).toHaveLength(200);
  });
});
