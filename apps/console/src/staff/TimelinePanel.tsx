import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LIVE_MS, queries, type Connection } from '../api/queries.js';
import { lanesOf, periodOf, presenceOf, type Lane, type Period } from './timeline.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Chart } from '../parts/Chart.js';
import { Empty, Loaded, Panel } from '../parts/Page.js';

/** Lanes that are drawn: a class of thousands has the curve above them. */
const MOST_LANES = 200;
/** Periods below this many milliseconds have their times in seconds. */
const SHORT_MS = 600_000;

export function TimelinePanel({ roomId, isLive }: { roomId: string; isLive: boolean }) {
  const { t } = useTranslation();
  const connections = useQuery({ ...queries.connections(roomId), refetchInterval: isLive && LIVE_MS });
  return (
    <Panel title={t('timeline.title')} note={t('timeline.note')}>
      <Loaded of={connections}>
        {(data) => <Timeline connections={data.connections} isComplete={data.isComplete} readAt={connections.dataUpdatedAt} />}
      </Loaded>
    </Panel>
  );
}

interface TimelineProps {
  connections: readonly Connection[];
  isComplete: boolean;
  /** When they were read, in milliseconds since 1970. Open connections last at least until then. */
  readAt: number;
}

function Timeline({ connections, isComplete, readAt }: TimelineProps) {
  const { t } = useTranslation();
  const { number, clock, second } = useFormat();
  const drawn = useMemo(() => {
    const period = periodOf(connections, readAt);
    return period && { period, lanes: lanesOf(connections, period), presence: presenceOf(connections, period) };
  }, [connections, readAt]);
  if (!drawn) return <Empty>{t('timeline.none')}</Empty>;
  const { period, lanes, presence } = drawn;
  const most = presence.counts.reduce((most, count) => Math.max(most, count), 0);
  const timeOf = period.end - period.start < SHORT_MS ? second : clock;
  return (
    <>
      <Chart
        label={t('timeline.chart', { count: most, joins: connections.length })}
        times={presence.times}
        values={presence.counts}
        kind="steps"
        format={number}
        formatTime={(seconds) => timeOf(seconds * 1000)}
      />
      <Lanes lanes={lanes.slice(0, MOST_LANES)} period={period} timeOf={timeOf} />
      {(lanes.length > MOST_LANES || !isComplete) && (
        <p className="quiet">{t('timeline.cut', { count: Math.min(lanes.length, MOST_LANES) })}</p>
      )}
    </>
  );
}

/** Who was there when: each bar is a stay. */
function Lanes({ lanes, period, timeOf }: { lanes: readonly Lane[]; period: Period; timeOf: (time: number) => string }) {
  const { t } = useTranslation();
  const { duration, exact } = useFormat();
  const share = (value: number) => `${(value * 100).toFixed(3)}%`;
  return (
    <div className="lanes">
      <div className="lane lane-scale quiet small" aria-hidden>
        <span />
        <span className="lane-times">
          <span>{timeOf(period.start)}</span>
          <span>{timeOf(period.end)}</span>
        </span>
        <span />
      </div>
      <ol>
        {lanes.map(({ uid, name, role, seconds, bars }) => (
          <li key={uid} className="lane" data-lane={uid}>
            <span className="clip">{name}</span>
            <span className="lane-track">
              {bars.map(({ id, from, length, joinedAt, leftAt }) => (
                <span key={id} className="lane-bar" data-role={role} style={{ insetInlineStart: share(from), width: share(length) }}>
                  <span className="unseen">
                    {leftAt
                      ? t('timeline.stay', { from: exact(joinedAt), to: exact(leftAt) })
                      : t('timeline.open', { from: exact(joinedAt) })}
                  </span>
                </span>
              ))}
            </span>
            <span className="lane-sum">{duration(seconds)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
