import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

declare global {
  interface Window {
    /** The actions of the page, in their order. */
    actions: string[];
  }
}

export function report(action: string): void {
  window.actions.push(action);
}

export function start(page: ReactNode): void {
  window.actions = [];
  const root = document.createElement('div');
  document.body.append(root);
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
