import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { useId } from 'react';
import { cx } from '../lib/class-names';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style';
import { Icon, type IconName } from './Icon';
import { Tooltip } from './Tooltip';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  ref?: Ref<HTMLButtonElement>;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  /** The disabled button stays focusable, and shows the reason as a tooltip. */
  reason?: string | null | undefined;
  /** Shown unless there is a reason. */
  tooltip?: string;
  /** True if its action is running. */
  busy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  reason,
  tooltip,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const blocked = Boolean(reason) || busy;
  const button = (
    <button
      {...rest}
      type={blocked && type === 'submit' ? 'button' : type}
      className={cx(buttonStyle(variant, size), className)}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-describedby={reason ? reasonId : rest['aria-describedby']}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (blocked) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon ? <Icon name={icon} className={size === 'small' ? 'size-4' : 'size-5'} /> : null}
      {children}
      {reason ? (
        <span id={reasonId} hidden>
          {reason}
        </span>
      ) : null}
    </button>
  );
  // Also without a text: a button whose parent component changes is created again, and loses the focus.
  return <Tooltip text={reason || tooltip}>{button}</Tooltip>;
}

/** `label` is its accessible name and tooltip, `hint` the shortcut. */
export function IconButton({
  label,
  hint,
  icon,
  className,
  ...rest
}: Omit<ButtonProps, 'children' | 'aria-label' | 'tooltip'> & { label: string; hint?: string; icon: IconName }) {
  return (
    <Button
      variant="ghost"
      size="small"
      {...rest}
      icon={icon}
      tooltip={hint ? `${label} (${hint})` : label}
      aria-label={label}
      className={cx('min-w-8 px-1.5', className)}
    />
  );
}
