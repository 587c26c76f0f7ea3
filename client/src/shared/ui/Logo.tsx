export function Logo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1d4d4f" />
      <path d="M15 6h2v20h-2z" fill="#f3efe4" />
      <path d="M7 9h14l4 3.500-4 3.500H7z" fill="#f2b544" />
      <path d="M25 18.500H13.500l-3.500 3 3.500 3H25z" fill="#f3efe4" />
    </svg>
  );
}
