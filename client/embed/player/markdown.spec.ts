import { describe, expect, it } from 'vitest';
import { parseMarkdown, plainText, safeHref, type Block, type Inline } from './markdown';
import { markdownNodes } from './markdown-nodes';

const html = (text: string): string => {
  const container = document.createElement('div');
  container.append(...markdownNodes(text));
  return container.innerHTML;
};

describe('Markdown in the body of a step', () => {
  it.each([
    ['Plain words.', '<p>Plain words.</p>'],
    ['One line\nand the next.\n\nA paragraph.', '<p>One line<br>and the next.</p><p>A paragraph.</p>'],
    ['**Strong**, *soft* and _soft_.', '<p><strong>Strong</strong>, <em>soft</em> and <em>soft</em>.</p>'],
    ['**Strong with *soft* inside**', '<p><strong>Strong with <em>soft</em> inside</strong></p>'],
    ['Press `Ctrl+*K*`.', '<p>Press <code>Ctrl+*K*</code>.</p>'],
    ['Before:\n- one\n* two\n\nafter', '<p>Before:</p><ul><li>one</li><li>two</li></ul><p>after</p>'],
    ['3. three\n4) four', '<ol start="3"><li>three</li><li>four</li></ol>'],
  ])('%j', (text, drawn) => {
    expect(html(text).replaceAll('"', "'")).toBe(drawn.replaceAll('"', "'"));
  });

  it.each([
    '2 * 3 * 4',
    'order_total_net',
    '** nothing **',
    '*',
    '`',
    '[a](b',
    'a**b',
    '-no list',
    '1.5 m',
    '__init__',
  ])('does not treat %j as formatting', text => {
    expect(parseMarkdown(text)).toEqual([{ kind: 'paragraph', content: [{ kind: 'text', text }] }]);
  });

  it('keeps escaped characters as plain text', () => {
    expect(plainText(String.raw`\*not soft\* and \[no link\](https://a.example)`)).toBe(
      '*not soft* and [no link](https://a.example)',
    );
  });

  it('allows only http, https and mailto links', () => {
    expect(html('[Help](https://a.example/x)')).toContain('href="https://a.example/x"');
    expect(html('[Help](https://a.example/x)')).toContain('rel="noopener noreferrer"');
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '/relative',
      'vbscript:x',
    ]) {
      expect(safeHref(address)).toBeNull();
      expect(html(`[Help](${address})`)).not.toContain('<a');
    }
    expect(safeHref('mailto:help@a.example')).toBe('mailto:help@a.example');
  });

  it('shows one image, which must be alone on its line, use https and have an alternative text', () => {
    expect(html('See:\n![The cart](https://a.example/cart.png)\nThen order.').replaceAll('"', "'")).toBe(
      "<p>See:</p><img referrerpolicy='no-referrer' alt='The cart' src='https://a.example/cart.png'><p>Then order.</p>",
    );
    expect(plainText('![The cart](https://a.example/cart.png)')).toBe('The cart');
    const image = '![a](https://a.example/a.png)';
    expect(html(`${image}\n\n${image}`).match(/<img/g)).toHaveLength(1);
    for (const rejected of [
      '![](https://a.example/a.png)',
      '![ ](https://a.example/a.png)',
      '![a](http://a.example/a.png)',
      '![a](data:image/png;base64,AA)',
      '![a](javascript:alert(1))',
      '![a](/a.png)',
      `before ${image}`,
      `- ${image}`,
    ])
      expect(html(rejected), rejected).not.toContain('<img');
  });

  it('never produces HTML from the text', () => {
    const drawn = html('<img src=x onerror=alert(1)> **<b>**\n- <script>x</script>');
    expect(drawn).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt; <strong>&lt;b&gt;</strong></p><ul><li>&lt;script&gt;x&lt;/script&gt;</li></ul>',
    );
  });

  it('parses arbitrary input without losing text', () => {
    const pieces = ['*', '**', '_', '`', '[', '](', ')', '\\', '\n', '- ', '1. ', ' ', 'a', 'é', 'https://a.example'];
    let seed = 7;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 3000; round += 1) {
      const text = Array.from({ length: next() % 24 }, () => pieces[next() % pieces.length]).join('');
      const letters = (of: string) => of.replaceAll(/[^aé]/g, '');
      const links = (of: readonly Block[]) =>
        of.flatMap(each => (each.kind === 'image' ? [] : each.kind === 'paragraph' ? each.content : each.items.flat()));
      const hrefs = (of: readonly Inline[]): string =>
        of
          .map(each => ('content' in each ? (each.kind === 'link' ? each.href : '') + hrefs(each.content) : ''))
          .join('');
      const kept = letters(plainText(text)) + letters(decodeURI(hrefs(links(parseMarkdown(text)))));
      expect([...kept].sort().join('').length, JSON.stringify(text)).toBeGreaterThanOrEqual(letters(text).length);
    }
  });

  it('parses repeated formatting characters quickly', () => {
    for (const piece of ['*', '_', '[', '**a ', '[a](', '`', '*a _b ']) {
      expect(parseMarkdown(piece.repeat(2000).slice(0, 2000)).length).toBeGreaterThan(0);
    }
  });
});
