import { createContext, use } from 'react';
import type { TourEditorQuery } from '../../generated/operations';

export type TourWithDraft = NonNullable<TourEditorQuery['tourBySlug']>;

export const TourContext = createContext<TourWithDraft | null>(null);

export function useTour(): TourWithDraft {
  const tour = use(TourContext);
  if (!tour) throw new Error('useTour must be used inside TourFrame.');
  return tour;
}
