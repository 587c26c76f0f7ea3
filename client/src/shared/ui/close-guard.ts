import { createContext } from 'react';

/**
 * Lets the content of a dialog keep it open: registers a function that returns false if the dialog must not be closed yet,
 * and returns another one that removes it.
 */
export const CloseGuard = createContext<((mayClose: () => boolean) => () => void) | null>(null);
