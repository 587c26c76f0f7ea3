import { useEffect, useState } from 'react';
import { t } from '../i18n/en/ui';
import { Button } from './Button';
import { toast } from './toast';

export function CopyButton({
  text,
  label,
  variant = 'secondary',
  size = 'small',
  onCopied,
}: {
  text: string;
  label: string;
  variant?: 'primary' | 'secondary';
  size?: 'small' | 'medium';
  onCopied?: () => void;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size={size}
      variant={variant}
      icon={copied ? 'check' : 'copy'}
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setCopied(true);
          onCopied?.();
        } catch {
          toast(t.cannotCopy, { tone: 'danger' });
        }
      }}
    >
      <span aria-live="polite">{copied ? t.copied : label}</span>
    </Button>
  );
}
