import { describe, expect, it } from 'vitest';
import { chooseTour, type OfferedTour, type Situation } from './choose-tour';

const tour = (slug: string, rest: Partial<OfferedTour['start']> = {}, resume: OfferedTour['resume'] = null) =>
  ({
    slug,
    resume,
    start: { trigger: 'AUTO', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false, ...rest },
  }) as unknown as OfferedTour;

const situation: Situation = { path: '/', evaluate: () => true, event: null, inCooldown: false };

describe('the tour that starts', () => {
  it('is the first that starts automatically on this page', () => {
    const tours = [
      tour('manual', { trigger: 'MANUAL' }),
      tour('elsewhere', { page: '/x' }),
      tour('here'),
      tour('later'),
    ];
    expect(chooseTour(tours, situation)?.slug).toBe('here');
  });

  it('is an active one before any other', () => {
    const unfinished = tour(
      'unfinished',
      { trigger: 'MANUAL' },
      { runId: 'r', stepKey: 's', page: null, seq: 4, doneSteps: [] },
    );
    expect(chooseTour([tour('here'), unfinished], situation)?.slug).toBe('unfinished');
  });

  it('is null if no tour matches', () => {
    expect(chooseTour([tour('elsewhere', { page: '/x' })], situation)).toBeUndefined();
  });

  it('resumes on the page of its step, not on the page where the tour starts', () => {
    const resume = { runId: 'r', stepKey: 's', page: '/cart', seq: 4, doneSteps: [] };
    const away = tour('away', { page: '/' }, resume);
    expect(chooseTour([away], situation)).toBeUndefined();
    expect(chooseTour([away], { ...situation, path: '/cart' })?.slug).toBe('away');
  });

  it('is one whose condition holds', () => {
    const when = { page: null, locale: 'de', device: null, trait: null, tour: null };
    expect(chooseTour([tour('some', { when })], { ...situation, evaluate: () => false })).toBeUndefined();
    expect(chooseTour([tour('some', { when })], situation)?.slug).toBe('some');
  });

  it('starts only on its event', () => {
    const paid = tour('paid', { trigger: 'EVENT', event: 'paid' });
    expect(chooseTour([paid], situation)).toBeUndefined();
    expect(chooseTour([tour('here'), paid], { ...situation, event: 'paid' })?.slug).toBe('paid');
    expect(chooseTour([paid], { ...situation, event: 'seen' })).toBeUndefined();
  });

  it('ignores the cooldown if configured', () => {
    const tours = [tour('polite'), tour('urgent', { ignoreCooldown: true })];
    expect(chooseTour(tours, { ...situation, inCooldown: true })?.slug).toBe('urgent');
  });
});
