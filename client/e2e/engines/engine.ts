/** Elements are located by XPath. */

export interface Window {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  see(xpath: string): Promise<void>;
  /** Once visible. */
  click(xpath: string): Promise<void>;
  type(xpath: string, text: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
}

export interface Engine {
  /** In the same session. */
  open(): Promise<Window>;
  popup(action: () => Promise<void>): Promise<Window>;
  stop(): Promise<void>;
}

/** For an element or a window. */
export const TIMEOUT_MS = 15_000;
