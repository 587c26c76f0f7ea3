/** Removed from the document when they close. */
const OVERLAYS = '[role=menu], [role=dialog], [role=alertdialog]';

/** Stops waiting if the signal aborts. */
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
