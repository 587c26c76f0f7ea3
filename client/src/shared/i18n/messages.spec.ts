/** No text of the interface stands outside the catalogue: what is said in a screen can be said in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../..');

/** Attributes and properties that people read or hear. */
const said =
  /^(aria-label|aria-roledescription|title|label|placeholder|alt|description|hint|action|caption|text|advice)$/;

/** Names, and words of formats: the same in every language. */
const allowed = new Set(
  [
    'Waypost|Nordhaus|Acme|English|Deutsch|/w/|data-tour|Bearer|noopener noreferrer|ms ease|(pointer: coarse)',
    // Examples of what is typed into a field.
    '/billing/*|/orders/*|search|#search button|#saved|order_placed|de-CH',
  ].flatMap(words => words.split('|')),
);

/** What is said when it is said itself. */
const passesOn = /^(ConditionalExpression|LogicalExpression|TemplateLiteral|JSXExpressionContainer)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Reads like words of a language, unlike names of classes, keys and addresses. */
const isProse = (text: string): boolean =>
  /^\p{Lu}\p{Ll}+[.…:?!]?$/u.test(text) ||
  /^["“'(]?\p{L}[\p{L}’']*([,;:]? ["“'(]?\p{L}[\p{L}’'”)]*)+ ?[.…:?!]?$/u.test(text) ||
  / .*\p{L}{2,}[.?!…]( |$)/u.test(text);

/** Where a text is for programs and for those who write them. */
function isTechnical(node: Node): boolean {
  const name = isNode(node['name']) ? node['name']['name'] : undefined;
  const called = isNode(node['callee']) ? node['callee'] : undefined;
  const method = isNode(called?.['property']) ? called['property'] : called;
  const callee = String(method?.['name']);
  return (
    /^(TS(?!As|Satisfies|NonNull)|ImportDeclaration|BinaryExpression$)/.test(node.type) ||
    (node.type === 'JSXAttribute' && (name === 'className' || String(name).startsWith('data-'))) ||
    (node.type === 'CallExpression' && /^(cx|has|includes|abort|startsWith|endsWith|split)$/.test(callee)) ||
    (node.type === 'NewExpression' && /(Error|Exception)$/.test(callee))
  );
}

/** The texts of a file that belong in the catalogue, each with its line. */
export function textsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const note = (node: Node, text: string) => {
    if (!/\p{L}/u.test(text) || allowed.has(text.trim())) return;
    found.push(`${file}:${source.slice(0, node.start).split('\n').length} “${text.trim()}”`);
  };
  const look = (node: Node, spoken: boolean): void => {
    if (node.type === 'JSXText') return note(node, String(node['value']));
    if (node.type === 'Literal') {
      if (typeof node['value'] === 'string' && (spoken || isProse(node['value']))) note(node, node['value']);
      return;
    }
    if (node.type === 'TemplateElement') {
      const { cooked } = node['value'] as { readonly cooked: string };
      if (spoken || isProse(cooked.trim())) note(node, cooked);
      return;
    }
    if (isTechnical(node)) return;
    const key = node[node.type === 'JSXAttribute' ? 'name' : 'key'];
    const name = isNode(key) ? String(key['name']) : '';
    for (const [part, value] of Object.entries(node)) {
      if (/^(key|name|property)$/.test(part) || (part === 'test' && node.type === 'SwitchCase')) continue;
      // A text chosen by a condition is as spoken as one that stands there.
      const inside =
        part === 'value' && /^(JSXAttribute|Property)$/.test(node.type)
          ? said.test(name)
          : spoken && passesOn.test(node.type) && part !== 'test';
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) look(each, inside);
    }
  };
  look(parseSync(file, source).program as unknown as Node, false);
  return found;
}

describe('the texts of the interface', () => {
  it.each([
    `<p>Hello</p>`,
    `<p>Hello {name}</p>`,
    `<Field label="name" />`,
    `<Field label={here ? 'name' : t.other} />`,
    'toast(`The step ${name} is gone.`)',
    `const words = { DRAFT: 'Draft' };`,
    `command({ label: 'undo' })`,
  ])('are found in %s', source => {
    expect(textsIn('x.tsx', source)).not.toEqual([]);
  });

  it.each([
    `<p className="flex Items">{t.hello}</p>`,
    `if (event.key === 'Escape') throw new Error('This screen belongs below another.');`,
    `switch (key) { case 'Home': break; }`,
    `const style = 'flex min-w-0 items-center';`,
    `<Link to="/w/acme" />`,
  ])('are none of %s', source => {
    expect(textsIn('x.tsx', source)).toEqual([]);
  });

  it('are in the catalogue', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll('\\', '/'))
      .filter(file => /\.tsx?$/.test(file) && !/^(generated|shared\/i18n\/(en|de))\/|\.spec\./.test(file));
    const found = files.toSorted().flatMap(file => textsIn(file, readFileSync(join(src, file), 'utf8')));
    expect(
      found,
      'Give each of these a name in shared/i18n/en and shared/i18n/de, as client/README.md says under “Texts”.',
    ).toEqual([]);
  });
});
