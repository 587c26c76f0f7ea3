/** The tour of the address, for its three screens: write, release, read the funnel. */
import { createContext, use } from 'react';
import type { TourEditorQuery } from '../../generated/operations';

export type TourWithDraft = NonNullable<TourEditorQuery['tourBySlug']>;

export const TourContext = createContext<TourWithDraft | null>(null);

export function useTour(): TourWithDraft {
  const tour = use(TourContext);
  if (!tour) throw new Error('This screen belongs below TourFrame.');
  return tour;
}
