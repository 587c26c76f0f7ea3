// Passes the provider's response to the page that requested it: the parent of this frame, the opener of this window, or,
// if a provider isolates its windows (Cross-Origin-Opener-Policy), the page that listens to the request's channel.
// A provider that remembers only the first pending request may answer it in the tab that sent it, and the page that
// opened a window may be gone. The application then continues with the response.

/** Time after which no page is expected to close this window, in milliseconds. */
const CLOSE_TIMEOUT = 2000;

const response = { source: 'oidc-client', url: location.href, keepOpen: false };
// Some providers always use the fragment.
const state = new URLSearchParams(location.search || location.hash.slice(1)).get('state');

function continueInApplication() {
  location.replace(`/auth/callback${location.search}${location.hash}`);
}

if (window.parent !== window) {
  window.parent.postMessage(response, location.origin);
} else if (!window.opener && state && sessionStorage.getItem(`waypost.request.${state}`) !== null) {
  // This tab sent the request.
  continueInApplication();
} else {
  if (window.opener) {
    // It accepts the response to any of its requests, an older one included.
    window.opener.postMessage(response, location.origin);
  } else if (state) {
    const channel = new BroadcastChannel(`oidc-client-popup-${state}`);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has its own origin only
    channel.postMessage(response);
    channel.close();
    window.close();
  }
  setTimeout(continueInApplication, CLOSE_TIMEOUT);
}
