/** No text is parsed as HTML. */
import { parseMarkdown, type Inline } from './markdown';

export function markdownNodes(text: string): Node[] {
  return parseMarkdown(text).map(block => {
    if (block.kind === 'image') return imageNode(block.src, block.alt);
    if (block.kind === 'paragraph') return element('p', inlineNodes(block.content));
    const items = block.items.map(item => element('li', inlineNodes(item)));
    if (block.kind === 'list') return element('ul', items);
    const list = element('ol', items);
    list.start = block.start;
    return list;
  });
}

/** The host of the image does not receive the address of the page. */
function imageNode(src: string, alt: string): HTMLImageElement {
  const image = element('img', []);
  image.referrerPolicy = 'no-referrer';
  image.alt = alt;
  image.addEventListener('error', () => image.classList.add('wp-failed'));
  image.src = src;
  return image;
}

function inlineNodes(content: readonly Inline[]): Node[] {
  return content.map(each => {
    switch (each.kind) {
      case 'text':
        return document.createTextNode(each.text);
      case 'break':
        return element('br', []);
      case 'code':
        return element('code', [document.createTextNode(each.text)]);
      case 'strong':
        return element('strong', inlineNodes(each.content));
      case 'emphasis':
        return element('em', inlineNodes(each.content));
      case 'link': {
        const link = element('a', inlineNodes(each.content));
        link.href = each.href;
        link.target = '_blank';
        link.rel = 'noopener noreferrer';
        return link;
      }
      default:
        return each satisfies never;
    }
  });
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  children: readonly Node[],
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  node.append(...children);
  return node;
}
