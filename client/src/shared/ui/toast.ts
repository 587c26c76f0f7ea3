/** A short notice. `toast()` adds it to the queue that `Toasts.tsx` shows. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'danger';
  readonly action?: { readonly label: string; readonly run: () => void };
}

let last = 0;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(text: string, options: { tone?: Toast['tone']; action?: Toast['action'] } = {}): void {
  last += 1;
  const next: Toast = {
    id: last,
    text,
    tone: options.tone ?? 'plain',
    ...(options.action ? { action: options.action } : {}),
  };
  // A notice replaces one with the same text.
  set([...toasts.filter(each => each.text !== text).slice(-2), next]);
}

export const dismissToast = (id: number): void => set(toasts.filter(each => each.id !== id));

export const currentToasts = (): readonly Toast[] => toasts;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
