import { useEffect, useState } from 'react';
import { parseMarkdown } from '../../../../embed/player/markdown';
import { traitsOf } from '../../../../embed/player/step-kinds';
import { useDebouncedValue } from '../../../shared/lib/hooks';
import type { Step } from '../../tour/draft';

type StepImages = Pick<Step, 'kind' | 'body'>;

export function useFailingImages(steps: readonly StepImages[]): (step: StepImages) => boolean {
  const sources = useDebouncedValue([...new Set(steps.flatMap(imagesOf))]);
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const controller = new AbortController();
    for (const src of sources) {
      const image = new Image();
      image.addEventListener('error', () => setFailed(known => new Set([...known, src])), {
        signal: controller.signal,
      });
      image.referrerPolicy = 'no-referrer';
      image.src = src;
    }
    return () => controller.abort();
  }, [sources]);
  return step => imagesOf(step).some(src => failed.has(src));
}

const imagesOf = (step: StepImages): string[] =>
  traitsOf(step).popover ? parseMarkdown(step.body).flatMap(block => (block.kind === 'image' ? [block.src] : [])) : [];
