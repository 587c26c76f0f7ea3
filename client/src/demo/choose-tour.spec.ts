import { describe, expect, it } from 'vitest';
import { type BootedTour, chooseTour, type Situation } from './choose-tour';

const tour = (slug: string, rest: Partial<BootedTour['start']> = {}, resume: BootedTour['resume'] = null) =>
  ({
    slug,
    resume,
    steps: [{ key: 's', page: null }],
    start: { trigger: 'AUTO', event: null, page: null, when: null, delayMs: 0, ignoreQuietHours: false, ...rest },
  }) as unknown as BootedTour;

const here: Situation = { path: '/', holds: () => true, event: null, quiet: false };

describe('the tour that begins', () => {
  it('is the first that starts by itself on this page', () => {
    const tours = [
      tour('manual', { trigger: 'MANUAL' }),
      tour('elsewhere', { page: '/x' }),
      tour('here'),
      tour('later'),
    ];
    expect(chooseTour(tours, here)?.slug).toBe('here');
  });

  it('is an unfinished one before any other', () => {
    const unfinished = tour('unfinished', { trigger: 'MANUAL' }, { runId: 'r', stepKey: 's', seq: 4, doneSteps: [] });
    expect(chooseTour([tour('here'), unfinished], here)?.slug).toBe('unfinished');
  });

  it('is none when none fits', () => {
    expect(chooseTour([tour('elsewhere', { page: '/x' })], here)).toBeNull();
  });

  it('goes on where its step belongs, whatever page the tour starts on', () => {
    const resume = { runId: 'r', stepKey: 's', seq: 4, doneSteps: [] };
    const away = {
      ...tour('away', { page: '/' }, resume),
      steps: [{ key: 's', page: '/cart' }],
    } as unknown as BootedTour;
    expect(chooseTour([away], here)).toBeNull();
    expect(chooseTour([away], { ...here, path: '/cart' })?.slug).toBe('away');
  });

  it('is one whose condition holds', () => {
    const when = { page: null, locale: 'de', device: null, property: null, tour: null };
    expect(chooseTour([tour('some', { when })], { ...here, holds: () => false })).toBeNull();
    expect(chooseTour([tour('some', { when })], here)?.slug).toBe('some');
  });

  it('is called by its event, and by nothing else', () => {
    const paid = tour('paid', { trigger: 'EVENT', event: 'paid' });
    expect(chooseTour([paid], here)).toBeNull();
    expect(chooseTour([tour('here'), paid], { ...here, event: 'paid' })?.slug).toBe('paid');
    expect(chooseTour([paid], { ...here, event: 'seen' })).toBeNull();
  });

  it('does not mind the one before when it says so', () => {
    const tours = [tour('polite'), tour('urgent', { ignoreQuietHours: true })];
    expect(chooseTour(tours, { ...here, quiet: true })?.slug).toBe('urgent');
  });
});
