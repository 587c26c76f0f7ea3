/** Every text must be translatable. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../..');

/** Shown or read aloud. */
const userFacing =
  /^(aria-label|aria-roledescription|title|label|placeholder|alt|description|hint|action|caption|text|advice)$/;

/** Equal in every language. */
const allowed = new Set(
  [
    'Waypost|Nordhaus|Acme|/w/|data-tour|Bearer|noopener noreferrer|ms ease|(pointer: coarse)',
    // Examples in input fields.
    '/billing/*|/orders/*|search|#search button|#saved|order_placed|de-CH',
  ].flatMap(words => words.split('|')),
);

/** Their children are user-facing if they are. */
const inheritsFromParent = /^(ConditionalExpression|LogicalExpression|TemplateLiteral|JSXExpressionContainer)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const isProse = (text: string): boolean =>
  /^\p{Lu}\p{Ll}+[.…:?!]?$/u.test(text) ||
  /^["“'(]?\p{L}[\p{L}’']*([,;:]? ["“'(]?\p{L}[\p{L}’'”)]*)+ ?[.…:?!]?$/u.test(text) ||
  / .*\p{L}{2,}[.?!…]( |$)/u.test(text);

/** Types, imports, class names, messages of exceptions. */
function isTechnical(node: Node): boolean {
  const name = isNode(node['name']) ? node['name']['name'] : undefined;
  const calleeNode = isNode(node['callee']) ? node['callee'] : undefined;
  const method = isNode(calleeNode?.['property']) ? calleeNode['property'] : calleeNode;
  const callee = String(method?.['name']);
  return (
    /^(TS(?!As|Satisfies|NonNull)|ImportDeclaration|BinaryExpression$)/.test(node.type) ||
    (node.type === 'JSXAttribute' && (name === 'className' || String(name).startsWith('data-'))) ||
    (node.type === 'CallExpression' && /^(cx|has|includes|abort|startsWith|endsWith|split)$/.test(callee)) ||
    (node.type === 'NewExpression' && /(Error|Exception)$/.test(callee))
  );
}

export function textsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const record = (node: Node, text: string) => {
    if (!/\p{L}/u.test(text) || allowed.has(text.trim())) return;
    found.push(`${file}:${source.slice(0, node.start).split('\n').length} “${text.trim()}”`);
  };
  const visit = (node: Node, isShown: boolean): void => {
    if (node.type === 'JSXText') return record(node, String(node['value']));
    if (node.type === 'Literal') {
      if (typeof node['value'] === 'string' && (isShown || isProse(node['value']))) record(node, node['value']);
      return;
    }
    if (node.type === 'TemplateElement') {
      const { cooked } = node['value'] as { readonly cooked: string };
      if (isShown || isProse(cooked.trim())) record(node, cooked);
      return;
    }
    if (isTechnical(node)) return;
    const key = node[node.type === 'JSXAttribute' ? 'name' : 'key'];
    const name = isNode(key) ? String(key['name']) : '';
    for (const [part, value] of Object.entries(node)) {
      if (/^(key|name|property)$/.test(part) || (part === 'test' && node.type === 'SwitchCase')) continue;
      // Both branches.
      const isPartShown =
        part === 'value' && /^(JSXAttribute|Property)$/.test(node.type)
          ? userFacing.test(name)
          : isShown && inheritsFromParent.test(node.type) && part !== 'test';
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each, isPartShown);
    }
  };
  visit(parseSync(file, source).program as unknown as Node, false);
  return found;
}

describe('hard-coded interface texts', () => {
  it.each([
    `<p>Hello</p>`,
    `<p>Hello {name}</p>`,
    `<Field label="name" />`,
    `<Field label={here ? 'name' : t.other} />`,
    'toast(`The step ${name} is gone.`)',
    `const words = { DRAFT: 'Draft' };`,
    `command({ label: 'undo' })`,
  ])('are reported in %s', source => {
    expect(textsIn('x.tsx', source)).not.toEqual([]);
  });

  it.each([
    `<p className="flex Items">{t.hello}</p>`,
    `if (event.key === 'Escape') throw new Error('This screen belongs below another.');`,
    `switch (key) { case 'Home': break; }`,
    `const style = 'flex min-w-0 items-center';`,
    `<Link to="/w/acme" />`,
  ])('are not reported in %s', source => {
    expect(textsIn('x.tsx', source)).toEqual([]);
  });

  it('do not exist in the client', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll('\\', '/'))
      .filter(
        file =>
          /\.tsx?$/.test(file) &&
          !/^(generated\/|shared\/i18n\/([a-z]{2}\/|locale\.ts$))|\.(spec|fixtures)\./.test(file),
      );
    const found = files.toSorted().flatMap(file => textsIn(file, readFileSync(join(src, file), 'utf8')));
    expect(
      found,
      'Move these texts to the languages in shared/i18n/, as client/README.md describes under “Messages”.',
    ).toEqual([]);
  });
});
