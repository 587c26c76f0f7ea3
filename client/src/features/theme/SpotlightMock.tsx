/** Scaled to the available width. */
import '../../../embed/player/markdown.css';
import { useEffect, useRef, type CSSProperties } from 'react';
import { rgbOf, textColorOn } from '../../../embed/player/contrast';
import { DEFAULT_ACCENT } from '../../../embed/player/look';
import { markdownNodes } from '../../../embed/player/markdown-nodes';
import type { Side, StepKind } from '../../generated/operations';
import { t as player } from '../../shared/i18n/en/player';
import { t } from '../../shared/i18n/en/theme';
import { cx } from '../../shared/lib/class-names';
import { useWidth } from '../../shared/lib/hooks';
import type { ThemeStyle } from './theme-style';

export interface MockStep {
  readonly kind: StepKind;
  readonly title: string;
  readonly body: string;
  readonly side: Side;
  /** Null if the step has none. */
  readonly next: string | null;
  readonly previous: string;
  readonly back: boolean;
  /** Empty if the tour has branches. */
  readonly count: string;
  /** Replace the Next button. */
  readonly choices?: readonly string[];
}

type Rect = { left: number; top: number; width: number; height: number };

interface Scene {
  readonly width: number;
  readonly height: number;
  /** The element by side, so that the popover fits. */
  readonly targets: Readonly<Record<Side, Rect>>;
}

const wide: Scene = {
  width: 880,
  height: 520,
  targets: {
    AUTO: { left: 330, top: 96, width: 200, height: 44 },
    BOTTOM: { left: 330, top: 96, width: 200, height: 44 },
    TOP: { left: 330, top: 380, width: 200, height: 44 },
    RIGHT: { left: 60, top: 220, width: 150, height: 44 },
    LEFT: { left: 670, top: 220, width: 150, height: 44 },
  },
};

/** Readable on narrow screens. */
const narrow: Scene = {
  width: 440,
  height: 400,
  targets: {
    AUTO: { left: 120, top: 84, width: 200, height: 44 },
    BOTTOM: { left: 120, top: 84, width: 200, height: 44 },
    TOP: { left: 120, top: 330, width: 200, height: 44 },
    RIGHT: { left: 16, top: 180, width: 64, height: 52 },
    LEFT: { left: 360, top: 180, width: 64, height: 52 },
  },
};

/** The width in pixels below which the scene is the narrow one. */
const NARROW_WIDTH = 540;

export function SpotlightMock({
  theme,
  step,
  label,
  dark = false,
}: {
  theme: ThemeStyle;
  step: MockStep;
  label: string;
  /** Draws a dark page. */
  dark?: boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const scene = width !== null && width < NARROW_WIDTH ? narrow : wide;
  const scale = width === null ? 0 : width / scene.width;
  return (
    <div
      ref={frame}
      role="img"
      aria-label={label}
      className={cx(
        'relative w-full overflow-hidden rounded-card border border-line',
        dark ? 'scheme-dark' : 'scheme-light',
      )}
      style={{ aspectRatio: `${scene.width} / ${scene.height}` }}
    >
      {/* Inert, because the links and buttons are only drawn. */}
      <div
        inert
        className="absolute top-0 left-0 origin-top-left"
        style={{ width: scene.width, height: scene.height, transform: `scale(${scale})` }}
      >
        <Scenery target={step.kind === 'MODAL' ? null : scene.targets[step.side]} />
        <Layers theme={theme} step={step} scene={scene} />
      </div>
    </div>
  );
}

function Scenery({ target }: { target: Rect | null }) {
  const bar = 'absolute rounded-md bg-[light-dark(#d9dde1,#3a4149)]';
  return (
    <div className="absolute inset-0 bg-[light-dark(#f4f5f6,#15191e)]">
      <div className="absolute inset-x-0 top-0 h-14 border-b border-[light-dark(#e2e5e8,#30363d)] bg-[light-dark(#fff,#1c2127)]" />
      <div className={cx(bar, 'top-5 left-8 h-4 w-24')} />
      <div className={cx(bar, 'top-5 right-8 h-4 w-16')} />
      {[0, 1, 2].map(column => (
        <div
          key={column}
          className="absolute top-40 h-52 w-60 rounded-xl border border-[light-dark(#e2e5e8,#30363d)] bg-[light-dark(#fff,#1c2127)]"
          style={{ left: 60 + column * 260 }}
        />
      ))}
      {[0, 1, 2].map(column => (
        <div key={column} className={cx(bar, 'top-64 h-3 w-40')} style={{ left: 84 + column * 260 }} />
      ))}
      <div className={cx(bar, 'top-[440px] left-[60px] h-3 w-96')} />
      <div className={cx(bar, 'top-[464px] left-[60px] h-3 w-72')} />
      {target ? (
        <div
          className="absolute grid place-items-center rounded-lg border border-[light-dark(#c9ced4,#4b535c)] bg-[light-dark(#fff,#262c33)] text-center text-sm leading-tight font-medium text-[light-dark(#30363c,#dfe4e8)]"
          style={target}
        >
          {t.sample.yourElement}
        </div>
      ) : null}
    </div>
  );
}

function Layers({ theme, step, scene }: { theme: ThemeStyle; step: MockStep; scene: Scene }) {
  const animation = { transition: `all ${theme.animationMs}ms ease` };
  const shade = `color-mix(in srgb, ${theme.overlayColor} ${Math.round(theme.overlayOpacity * 100)}%, transparent)`;
  if (step.kind === 'MODAL') {
    return (
      <div className="absolute inset-0 grid place-items-center" style={{ background: shade }}>
        <Popover theme={theme} step={step} maxHeight={scene.height - 2 * EDGE} style={{ width: theme.popoverWidth }} />
      </div>
    );
  }
  const target = scene.targets[step.side];
  const dims = step.kind === 'SPOTLIGHT';
  const hole = dims ? inflate(target, theme.stagePadding) : target;
  return (
    <>
      <div
        className="absolute"
        style={{
          ...hole,
          ...animation,
          borderRadius: theme.stageRadius,
          boxShadow: dims ? `0 0 0 2000px ${shade}` : 'none',
        }}
      />
      {step.kind === 'HOTSPOT' ? (
        <span
          className="absolute size-4 rounded-full border-2 border-white shadow-raised"
          style={{ background: accentOf(theme).background, left: target.left + target.width - 8, top: target.top - 8 }}
        />
      ) : null}
      <Popover
        theme={theme}
        step={step}
        maxHeight={availableHeight(hole, step.side, theme, scene)}
        style={{ ...popoverPosition(hole, step.side, theme, scene), ...animation, width: theme.popoverWidth }}
      />
    </>
  );
}

function accentOf({ accentColor }: ThemeStyle) {
  const accent = accentColor === null ? DEFAULT_ACCENT : rgbOf(accentColor);
  return { background: `rgb(${accent.join(' ')})`, color: textColorOn(accent) };
}

const inflate = ({ left, top, width, height }: Rect, by: number): Rect => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The least distance from the edge of the scene. */
const EDGE = 16;

function popoverPosition(hole: Rect, side: Side, { popoverOffset, popoverWidth }: ThemeStyle, scene: Scene) {
  const centered = Math.max(
    EDGE,
    Math.min(scene.width - popoverWidth - EDGE, hole.left + hole.width / 2 - popoverWidth / 2),
  );
  const middle = hole.top + hole.height / 2;
  switch (side) {
    case 'AUTO':
    case 'BOTTOM':
      return { position: 'absolute', left: centered, top: hole.top + hole.height + popoverOffset } as const;
    case 'TOP':
      return { position: 'absolute', left: centered, bottom: scene.height - hole.top + popoverOffset } as const;
    case 'RIGHT':
      return {
        position: 'absolute',
        left: hole.left + hole.width + popoverOffset,
        top: middle,
        translate: '0 -50%',
      } as const;
    case 'LEFT':
      return {
        position: 'absolute',
        right: scene.width - hole.left + popoverOffset,
        top: middle,
        translate: '0 -50%',
      } as const;
    default:
      return side satisfies never;
  }
}

function availableHeight({ top, height }: Rect, side: Side, { popoverOffset }: ThemeStyle, scene: Scene): number {
  const below = scene.height - top - height;
  switch (side) {
    case 'AUTO':
    case 'BOTTOM':
      return below - popoverOffset - EDGE;
    case 'TOP':
      return top - popoverOffset - EDGE;
    case 'RIGHT':
    case 'LEFT':
      return height + 2 * (Math.min(top, below) - EDGE);
    default:
      return side satisfies never;
  }
}

/** Pixels of the scene. */
const MIN_IMAGE_HEIGHT = 24;

const BUTTON = 'border border-transparent px-3.5 py-[7px] text-center';

const MUTED = 'text-[light-dark(#5b5d61,#b9bfc6)]';

/** Has the sizes of `renderer.css`, so that its text wraps as in a tour. */
function Popover({
  theme,
  step,
  maxHeight,
  style,
}: {
  theme: ThemeStyle;
  step: MockStep;
  maxHeight: number;
  style: CSSProperties;
}) {
  const { choices = [] } = step;
  const isList = choices.length > 1;
  const corners = { borderRadius: theme.buttonRadius ?? 8 };
  const primary = { ...accentOf(theme), ...corners };
  const previous =
    step.kind === 'HOTSPOT' || !step.back ? null : <span className={cx(BUTTON, 'px-2', MUTED)}>{step.previous}</span>;
  const box = useRef<HTMLDivElement>(null);
  // The scene is lower than a window.
  useEffect(() => {
    const image = box.current?.querySelector('img');
    if (!box.current || !image) return;
    image.style.maxHeight = '';
    const excess = box.current.offsetHeight - maxHeight;
    if (excess > 0) image.style.maxHeight = `${Math.max(MIN_IMAGE_HEIGHT, image.offsetHeight - excess)}px`;
  });
  return (
    <div
      ref={box}
      className="bg-[light-dark(#fff,#262c33)] p-4 font-[system-ui,sans-serif] text-[15px]/[1.5] text-[light-dark(#16181d,#f2f4f6)] shadow-raised"
      style={{
        ...style,
        borderRadius: theme.popoverRadius ?? 12,
        ...(theme.fontFamily ? { fontFamily: `${theme.fontFamily}, system-ui, sans-serif` } : {}),
      }}
    >
      <div className="flex items-start gap-2">
        <p className="flex-1 text-[17px]/[1.35] font-[650] wrap-anywhere">{step.title || t.sample.untitled}</p>
        <span className={cx('-my-1.5 -mr-2 w-8 text-center text-[20px]/[32px]', MUTED)}>×</span>
      </div>
      {step.body.trim() === '' ? null : (
        <div className="pt-1.5">
          <Markdown text={step.body} />
        </div>
      )}
      <div
        className={cx(
          'flex gap-2 pt-4 text-[14px]/[20px] font-semibold',
          isList ? 'flex-col' : 'items-center justify-end whitespace-nowrap',
        )}
      >
        {step.kind === 'HOTSPOT' || step.count === '' || !theme.showStepCount ? null : (
          <span className={cx('mr-auto text-[13px] font-normal', MUTED)}>{step.count}</span>
        )}
        {isList ? null : previous}
        {choices.map((label, index) =>
          index === 0 ? (
            <span key={label} className={BUTTON} style={primary}>
              {label}
            </span>
          ) : (
            <span key={label} className={cx(BUTTON, 'border-[light-dark(#d0d1d2,#4b535c)]')} style={corners}>
              {label}
            </span>
          ),
        )}
        {step.next === null ? null : (
          <span className={BUTTON} style={primary}>
            {step.next}
          </span>
        )}
        {isList ? previous : null}
      </div>
    </div>
  );
}

export const sampleStep = (): MockStep => ({
  kind: 'SPOTLIGHT',
  title: t.sample.title,
  body: t.sample.body,
  side: 'BOTTOM',
  next: player.next,
  previous: player.previous,
  back: true,
  count: player.count(1, 3),
});

/** Uses the code of the player, so that the text looks the same as in a tour. */
export function Markdown({ text }: { text: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.replaceChildren(...markdownNodes(text));
  }, [text]);
  return <div ref={container} className="wp-text" />;
}
