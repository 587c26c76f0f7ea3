// Hands the provider's answer to the page that asked for it: the one that opened this window or holds this frame.
// A provider that isolates its windows (Cross-Origin-Opener-Policy) cuts the link to the opener; then a channel helps.
const answer = { source: 'oidc-client', url: location.href, keepOpen: false };
const asker = window.parent === window ? window.opener : window.parent;
const state = new URLSearchParams(location.search).get('state');
if (asker) {
  asker.postMessage(answer, location.origin);
} else if (state) {
  const channel = new BroadcastChannel(`oidc-client-popup-${state}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  channel.postMessage(answer);
  channel.close();
  window.close();
}
