import { formatKeys } from './commands';

export function Keys({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex gap-1 font-sans text-xs">
      {formatKeys(keys).map(key => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-line bg-sunken px-1.5 py-0.5 text-center font-sans font-medium text-muted"
        >
          {key}
        </kbd>
      ))}
    </kbd>
  );
}
