import { useState } from 'react';
import { t } from '../../shared/i18n/en/insights';
import { formatCount, formatDay, formatShortDay } from '../../shared/i18n/format';
import { Button } from '../../shared/ui/Button';
import { Table } from '../../shared/ui/Table';
import { axisTop, type Insights } from './funnel';

type Day = Insights['byDay'][number];

const HEIGHT = 160;
const GAP = 0.25;

export function DayChart({ days }: { days: readonly Day[] }) {
  const [asTable, setAsTable] = useState(false);
  const top = axisTop(Math.max(0, ...days.map(day => day.started)));
  const height = (count: number) => (count / top) * HEIGHT;
  const first = days[0];
  const last = days.at(-1);
  return (
    <div className="grid gap-3">
      {asTable ? (
        <DayTable days={days} />
      ) : (
        <figure aria-label={t.days.figure} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
          <div
            className="flex flex-col justify-between text-right text-xs text-muted tabular-nums"
            style={{ height: HEIGHT }}
          >
            <span>{formatCount(top)}</span>
            <span>0</span>
          </div>
          <svg
            viewBox={`0 0 ${days.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="w-full border-b border-edge"
            style={{ height: HEIGHT }}
            aria-hidden="true"
          >
            <path
              d={`M0 .5H${days.length}M0 ${HEIGHT / 2}H${days.length}`}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
            {days.map((day, index) => (
              <g key={day.day}>
                <title>{t.days.bar(formatDay(day.day), day.started, day.completed)}</title>
                <rect
                  x={index + GAP / 2}
                  width={1 - GAP}
                  y={HEIGHT - height(day.started)}
                  height={height(day.started)}
                  className="fill-brand"
                  opacity={0.35}
                />
                <rect
                  x={index + GAP / 2}
                  width={1 - GAP}
                  y={HEIGHT - height(Math.min(day.completed, day.started))}
                  height={height(Math.min(day.completed, day.started))}
                  className="fill-brand"
                />
              </g>
            ))}
          </svg>
          <figcaption className="col-start-2 mt-1 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
            <span>{first ? formatShortDay(first.day) : ''}</span>
            <span className="flex gap-4">
              <span className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-xs bg-brand/35" /> {t.days.started}
              </span>
              <span className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-xs bg-brand" /> {t.days.completed}
              </span>
            </span>
            <span>{last ? formatShortDay(last.day) : ''}</span>
          </figcaption>
        </figure>
      )}
      <Button size="small" variant="ghost" className="justify-self-start" onClick={() => setAsTable(!asTable)}>
        {asTable ? t.days.asChart : t.days.asTable}
      </Button>
    </div>
  );
}

function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <Table
      caption={t.days.caption}
      rows={days.filter(day => day.started + day.completed + day.dismissed > 0).toReversed()}
      rowKey={day => day.day}
      columns={[
        { title: t.days.day, cell: day => formatDay(day.day) },
        { title: t.figures.started, align: 'right', cell: day => formatCount(day.started) },
        { title: t.figures.completed, align: 'right', cell: day => formatCount(day.completed) },
        { title: t.figures.dismissed, align: 'right', cell: day => formatCount(day.dismissed) },
      ]}
    />
  );
}
