import { useEffect, useState } from 'react';
import { useSettled } from '../lib/use-settled';
import { parseMarkdown } from '../player/markdown';

/** Whether the image of a text cannot be loaded by this browser, once nobody types any more. */
export function useImageFails(body: string): boolean {
  const src = imageIn(useSettled(body));
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (src === null) return undefined;
    const image = new Image();
    const onError = () => setFailed(src);
    image.addEventListener('error', onError);
    image.referrerPolicy = 'no-referrer';
    image.src = src;
    return () => image.removeEventListener('error', onError);
  }, [src]);
  return src !== null && failed === src;
}

function imageIn(body: string): string | null {
  const image = parseMarkdown(body).find(block => block.kind === 'image');
  return image?.src ?? null;
}
