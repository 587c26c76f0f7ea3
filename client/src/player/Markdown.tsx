import './markdown.css';
import { useEffect, useRef } from 'react';
import { markdownNodes } from './markdown-nodes';

/** The text of a step, drawn by what draws it in a tour: what is seen here is what participants see. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(...markdownNodes(text));
  }, [text]);
  return <div ref={place} className="wp-text" />;
}
