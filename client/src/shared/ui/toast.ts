import { createStore } from '../create-store';

/** `toast()` adds it for `Toasts.tsx`. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'danger';
  readonly topic: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

let last = 0;

export const toasts = createStore<readonly Toast[]>([]);

/** Replaces one with the same text or topic. */
export function toast(
  text: string,
  options: { tone?: Toast['tone']; action?: Toast['action']; topic?: string } = {},
): void {
  last += 1;
  const next: Toast = {
    id: last,
    text,
    tone: options.tone ?? 'plain',
    topic: options.topic ?? text,
    ...(options.action ? { action: options.action } : {}),
  };
  toasts.set([
    ...toasts
      .get()
      .filter(each => each.topic !== next.topic)
      .slice(-2),
    next,
  ]);
}

const AFTER_LOAD = 'waypost.notice';

/** Adds it on the page that this tab loads next. */
export const toastAfterLoad = (text: string): void => sessionStorage.setItem(AFTER_LOAD, text);

export function showToastAfterLoad(): void {
  const text = sessionStorage.getItem(AFTER_LOAD);
  if (text === null) return;
  sessionStorage.removeItem(AFTER_LOAD);
  toast(text);
}

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter(each => each.id !== id));
