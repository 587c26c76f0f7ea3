import { ACCOUNTS } from './accounts.mjs';

export const STYLESHEET = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#d4d4d8, #3f3f46);
  --text: light-dark(#18181b, #fafafa); --soft: light-dark(#52525b, #a1a1aa); --accent: light-dark(#4338ca, #a5b4fc);
  --on-accent: light-dark(#ffffff, #1e1b4b); --bad: light-dark(#b91c1c, #fca5a5); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; color: var(--text); background: light-dark(#f4f4f5, #18181b); }
main { width: min(26rem, 100vw - 2rem); padding: 2rem; border: 1px solid var(--line); border-radius: 0.75rem; background: light-dark(#ffffff, #27272a); }
h1 { margin: 0 0 0.25rem; font-size: 1.375rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 0.875rem; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; font-size: 0.875rem; }
input { width: 100%; min-height: 2.75rem; padding: 0 0.75rem; font: inherit; color: inherit; background: transparent; border: 1px solid light-dark(#71717a, #a1a1aa); border-radius: 0.375rem; }
button { width: 100%; min-height: 2.75rem; margin-top: 1.5rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 0.375rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role="alert"] { margin: 1rem 0 0; color: var(--bad); font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.375rem 0.5rem 0.375rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { font-weight: 600; }
code { font-size: 0.9375em; }
`;

/**
 * Renders the sign-in page.
 * @param {{ action: string, name?: string, problem?: string }} page
 */
export function signInPage({ action, name = '', problem }) {
  const rows = ACCOUNTS.map(
    ({ name, permissions }) =>
      `<tr><th scope="row"><code>${name}</code></th><td><code>${name}</code></td><td>${permissions}</td></tr>`,
  );
  return document(
    'Sign in',
    `<h1>Sign in</h1>
<p>This is Waypost’s identity provider for development.</p>
<form method="post" action="${escape(action)}">
${problem ? `<p role="alert" id="problem">${escape(problem)}</p>` : ''}
<label for="name">Name</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus value="${escape(name)}"${invalidAttributes(problem)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalidAttributes(problem)}>
<button>Sign in</button>
</form>
<h2 id="accounts">Test accounts</h2>
<table aria-labelledby="accounts">
<thead><tr><th scope="col">Name</th><th scope="col">Password</th><th scope="col">Permissions</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table>`,
  );
}

/**
 * Renders an error page.
 * @param {string} title
 * @param {string} text
 */
export function problemPage(title, text) {
  return document(title, `<h1>${escape(title)}</h1>\n<p>${escape(text)}</p>`);
}

/**
 * Renders the sign-out page, which submits its form automatically: the app has already authenticated the request with
 * the ID token, so no confirmation is needed.
 * @param {string} form the provider's form
 */
export function signOutPage(form) {
  return document(
    'Signing out',
    `<h1>Signing out</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button><script src="/sign-out.js"></script>`,
  );
}

export const SIGN_OUT_SCRIPT = `document.querySelector("button[name=logout]").click();\n`;

function invalidAttributes(problem) {
  return problem ? ' aria-invalid="true" aria-describedby="problem"' : '';
}

function document(title, main) {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)} · Waypost development</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>
<body><main>${main}</main></body>
</html>`;
}

function escape(text) {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
