/** What lies over the page and asks for an answer: a menu, a dialog. Its container comes and goes with it. */
const OVER = '[role=menu], [role=dialog], [role=alertdialog]';

/** Waits until no menu and no dialog is open, or the signal ends the wait. */
export function nothingOpen(signal: AbortSignal): Promise<void> {
  const isFree = () => signal.aborted || document.querySelector(OVER) === null;
  if (isFree()) return Promise.resolve();
  return new Promise(resolve => {
    const look = () => {
      if (!isFree()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener('abort', look, { once: true });
  });
}
