// Focus of the page, also in open shadow roots.

export function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** True if the visitor may be entering text in the focused element. */
export function isTyping(): boolean {
  const focused = focusedElement();
  if (!focused) return false;
  return /^(input|textarea|select|iframe)$/.test(focused.localName) || (focused as HTMLElement).isContentEditable;
}
