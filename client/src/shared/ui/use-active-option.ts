import { useState } from 'react';

interface ActiveOption {
  /** Negative if there are no options. */
  readonly at: number;
  readonly activate: (index: number) => void;
  /** Makes the initial option active again, for other options. */
  readonly reset: () => void;
  /** Returns true if the key has moved the active option. */
  readonly move: (key: string) => boolean;
}

/** The active option of a list whose text field keeps the focus, as in the ARIA pattern of a combobox. */
export function useActiveOption(count: number, initial: number): ActiveOption {
  // Null until the user moves it.
  const [moved, setMoved] = useState<number | null>(null);
  const at = Math.min(moved ?? initial, count - 1);
  return {
    at,
    activate: setMoved,
    reset: () => setMoved(null),
    move: key => {
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
      if (by === 0 || count === 0) return false;
      setMoved((at + by + count) % count);
      return true;
    },
  };
}
