import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { queries, type Room, type WebhookEndpoint } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, Loaded, Page, Panel } from '../parts/Page.js';
import { classState } from './class-state.js';
import { daysOfMonth, monthOf } from './days.js';
import { BalanceFigures, LoadingFigures } from '../parts/Balance.js';
import { LatestRecordings } from './RecordingsPanel.js';
import { LoadingUsage, UsageChart } from './UsageChart.js';

type State = 'enabled' | 'struggling' | NonNullable<WebhookEndpoint['disabledReason']>;
/** Whether events reach the endpoint. */
export const endpointState = ({
  isEnabled,
  disabledReason,
  failingSince,
}: Pick<WebhookEndpoint, 'isEnabled' | 'disabledReason' | 'failingSince'>): State => {
  if (!isEnabled) return disabledReason ?? 'requested';
  return failingSince ? 'struggling' : 'enabled';
};

const DAY_MS = 86_400_000;
/** How long before credits are used up, or a key expires, it is shown. */
const SOON_MS = 14 * DAY_MS;

const isSoon = (time: string | null | undefined) => Boolean(time) && Date.parse(time ?? '') < Date.now() + SOON_MS;

/** What staff should look at: credits, and for owners webhooks that fail and keys that expire. */
function AttentionPanel() {
  const { t } = useTranslation();
  const profile = useQuery(queries.profile);
  return (
    <Panel title={t('attention.title')}>
      <div className="attention">
        <Loaded of={profile}>{({ role }) => <Findings isOwner={role === 'OWNER'} />}</Loaded>
      </div>
    </Panel>
  );
}

function Findings({ isOwner }: { isOwner: boolean }) {
  const { t } = useTranslation();
  const { near } = useFormat();
  const usage = useQuery(queries.usage);
  const endpoints = useQuery({ ...queries.webhookEndpoints, enabled: isOwner });
  const keys = useQuery({ ...queries.apiKeys, enabled: isOwner });
  const found: [id: string, content: ReactNode][] = [];
  const { balance } = usage.data ?? {};
  if (balance?.type === 'PREPAID') {
    const zeroAt = balance.forecast && 'reachesZeroAt' in balance.forecast ? balance.forecast.reachesZeroAt : null;
    if (balance.isOverconsumed)
      found.push([
        'credits',
        <Link key="credits" to="/ledger">
          {t('attention.overconsumed')}
        </Link>,
      ]);
    else if (zeroAt && isSoon(zeroAt))
      found.push([
        'credits',
        <Link key="credits" to="/usage">
          {t('attention.zero', { time: near(zeroAt) })}
        </Link>,
      ]);
  }
  for (const endpoint of endpoints.data ?? []) {
    const state = endpointState(endpoint);
    const { endpointId, url } = endpoint;
    if (state === 'struggling' || state === 'gone' || state === 'failing')
      found.push([
        endpointId,
        <span key={endpointId}>
          <Link to="/integration/$endpointId" params={{ endpointId }}>
            {t('attention.webhook', { url })}
          </Link>{' '}
          <span className="quiet">
            {t(`integration.endpointStates.${state}`, { time: near(endpoint.failingSince ?? endpoint.createdAt) })}
          </span>
        </span>,
      ]);
  }
  for (const { keyId, name, expiresAt } of keys.data ?? [])
    if (expiresAt && isSoon(expiresAt))
      found.push([
        keyId,
        <Link key={keyId} to="/integration">
          {t('attention.key', { name, time: near(expiresAt) })}
        </Link>,
      ]);
  const isPending = usage.isPending || (isOwner && (endpoints.isPending || keys.isPending));
  const failed = [usage, endpoints, keys].find(({ error, data }) => error && data === undefined);
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />;
  if (found.length === 0)
    return (
      <p className="state quiet" role="status">
        {isPending ? (
          t('loading')
        ) : (
          <>
            <CircleCheck className="good" aria-hidden /> {t('attention.nothing')}
          </>
        )}
      </p>
    );
  return (
    <ul className="lines">
      {found.map(([id, content]) => (
        <li key={id}>
          <TriangleAlert className="danger-text" aria-hidden />
          <span className="wrap">{content}</span>
        </li>
      ))}
    </ul>
  );
}

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
