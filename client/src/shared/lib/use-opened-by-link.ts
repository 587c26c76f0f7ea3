import { useEffect, useState } from 'react';

/**
 * The state of a dialog that links can open: `isLinked` is true if the URL demands it. Removes that from the URL with
 * `clear`, so that neither a reload nor the back button opens the dialog again.
 */
export function useOpenedByLink(isLinked: boolean, clear: () => void) {
  const [isOpen, setOpen] = useState(isLinked);
  if (isLinked && !isOpen) setOpen(true);
  useEffect(() => {
    if (isLinked) clear();
  });
  return [isOpen, setOpen] as const;
}
