import { wordDiff } from '../lib/word-diff';

export function TextDiff({ before, after }: { before: string; after: string }) {
  if (after === '') return '–';
  let at = 0;
  return wordDiff(before, after).map(({ text, change }) => {
    const key = at;
    at += text.length;
    switch (change) {
      case 'same':
        return <span key={key}>{text}</span>;
      case 'added':
        return (
          <ins key={key} className="rounded-sm bg-ok-soft text-ok decoration-1 underline-offset-2 [del+&]:ml-1">
            {text}
          </ins>
        );
      case 'removed':
        return (
          <del key={key} className="rounded-sm text-muted decoration-1">
            {text}
          </del>
        );
      default:
        return change satisfies never;
    }
  });
}
