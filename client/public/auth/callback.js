// Sends the provider's response to the page that opened this window or contains this frame. A provider that isolates
// its windows (Cross-Origin-Opener-Policy) severs the link to the opener; then a broadcast channel carries the
// response.
const response = { source: 'oidc-client', url: location.href, keepOpen: false };
const requester = window.parent === window ? window.opener : window.parent;
const state = new URLSearchParams(location.search).get('state');
if (requester) {
  requester.postMessage(response, location.origin);
} else if (state) {
  const channel = new BroadcastChannel(`oidc-client-popup-${state}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
  channel.postMessage(response);
  channel.close();
  window.close();
}
