/** Removed from the document when they close. */
const OVERLAYS = '[role=menu], [role=dialog], [role=alertdialog]';

/** Waits until no menu or dialog is open, or the signal aborts. */
export function waitUntilNoDialog(signal: AbortSignal): Promise<void> {
  const isDone = () => signal.aborted || document.querySelector(OVERLAYS) === null;
  if (isDone()) return Promise.resolve();
  return new Promise(resolve => {
    const check = () => {
      if (!isDone()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener('abort', check, { once: true });
  });
}
