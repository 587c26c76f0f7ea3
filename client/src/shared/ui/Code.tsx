import { CopyButton } from './CopyButton';

/** Code that wraps instead of scrolling, so that it is readable on a phone. */
export function Code({ children }: { children: string }) {
  return (
    <pre className="w-full min-w-0 rounded-control border border-line bg-sunken px-3 py-2 text-[13px] break-words whitespace-pre-wrap">
      <code>{children}</code>
    </pre>
  );
}

export function CodeWithCopy({ label, code }: { label: string; code: string }) {
  return (
    <div className="grid justify-items-start gap-2">
      <Code>{code}</Code>
      <CopyButton text={code} label={label} />
    </div>
  );
}
