import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries, type Room } from '../api/queries.js';
import { classState } from './class-state.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Loaded, Page, Panel } from '../parts/Page.js';
import { daysOfMonth, monthOf } from './days.js';
import { BalanceFigures, LoadingFigures } from '../parts/Balance.js';
import { AttentionPanel } from './AttentionPanel.js';
import { LatestRecordings } from './LatestRecordings.js';
import { LoadingUsage, UsageChart } from './UsageChart.js';

const MOST = 5;

/** The next classes that have a time. */
function PlannedPanel() {
  const { t } = useTranslation();
  const { near } = useFormat();
  const planned = useQuery(queries.planned);
  return (
    <Panel
      title={t('planned.title')}
      actions={
        <Link to="/rooms" search={{ status: 'created' }}>
          {t('planned.all')}
        </Link>
      }
    >
      <Loaded of={planned}>
        {(rooms) =>
          rooms.length === 0 ? (
            <Empty>{t('planned.none')}</Empty>
          ) : (
            <ul className="lines">
              {rooms.slice(0, MOST).map((room) => (
                <li key={room.roomId}>
                  <span>{near(room.startsAt)}</span>
                  <Link to="/rooms/$roomId" params={{ roomId: room.roomId }}>
                    {room.title}
                  </Link>
                  <span className="quiet">{room.teachers?.join(', ')}</span>
                  {classState(room) === 'prepared' && <Badge kind="prepared">{t('states.prepared')}</Badge>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

export function Overview() {
  const { t } = useTranslation();
  const format = useFormat();
  const month = monthOf(new Date());
  const { from, to } = daysOfMonth(month);
  const live = useQuery(queries.liveRooms);
  const usage = useQuery(queries.usage);
  const days = useQuery(queries.days(from, to));
  return (
    <Page title={t('nav.overview')}>
      <AttentionPanel />
      <Panel title={t('overview.live')} actions={<Link to="/rooms">{t('overview.allRooms')}</Link>}>
        <div className="live">
          <Loaded of={live}>{(rooms) => <LiveRooms rooms={rooms} />}</Loaded>
        </div>
      </Panel>
      <Panel title={t('overview.balance')} actions={<Link to="/ledger">{t('overview.explain')}</Link>}>
        <Loaded of={usage} placeholder={<LoadingFigures />}>
          {({ balance }) => <BalanceFigures balance={balance} />}
        </Loaded>
      </Panel>
      <Panel
        title={t('usage.of', { month: format.month(month) })}
        actions={
          <Link to="/usage" search={{ month }}>
            {t('overview.details')}
          </Link>
        }
      >
        <Loaded of={days} placeholder={<LoadingUsage />}>
          {(used) => <UsageChart month={month} days={used} />}
        </Loaded>
      </Panel>
      <PlannedPanel />
      <LatestRecordings />
    </Page>
  );
}

function LiveRooms({ rooms }: { rooms: readonly Room[] }) {
  const { t } = useTranslation();
  const { clock, near } = useFormat();
  // One that is prepared and empty is among the planned ones.
  const shown = rooms.filter((room) => classState(room) === 'live' || room.participantCount > 0);
  if (shown.length === 0) return <Empty>{t('overview.nothingLive')}</Empty>;
  return (
    <ul className="cards">
      {shown.map((room) => {
        const { roomId, title, participantCount, isRecording, startedAt, startsAt } = room;
        const isPrepared = classState(room) === 'prepared';
        return (
          <li key={roomId}>
            <Link to="/rooms/$roomId" params={{ roomId }} className="live-card">
              <strong>{title}</strong>
              <span>{t('people', { count: participantCount })}</span>
              {isPrepared && startsAt && <span className="quiet">{t('rooms.planned', { time: near(startsAt) })}</span>}
              {!isPrepared && startedAt && <span className="quiet">{t('since', { time: clock(startedAt) })}</span>}
              {isPrepared && <Badge kind="prepared">{t('states.prepared')}</Badge>}
              {isRecording && <Badge kind="recording">{t('recording.running')}</Badge>}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
