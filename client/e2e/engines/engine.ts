/** A browser that Playwright does not drive. Elements are located by XPath. */

/** A tab or a window of the browser. */
export interface Window {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  /** Waits until the element is visible. */
  see(xpath: string): Promise<void>;
  /** Waits until the element is visible, and clicks it. */
  click(xpath: string): Promise<void>;
  /** Waits until the element is visible, and types into it. */
  type(xpath: string, text: string): Promise<void>;
  /** Returns the value of a JavaScript expression. */
  evaluate(expression: string): Promise<unknown>;
}

export interface Engine {
  /** Opens a tab in the same session, so that it shares cookies and storage with the others. */
  open(): Promise<Window>;
  /** Returns the window that `action` opens. */
  popup(action: () => Promise<void>): Promise<Window>;
  stop(): Promise<void>;
}

/** Maximum time for an element or a window to appear, in milliseconds. */
export const TIMEOUT_MS = 15_000;
