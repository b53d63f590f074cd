import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { LIVE_MS, queries, type WholeRoom } from '../api/queries.js';
import { classState } from './class-state.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Facts, Figure, Loaded, Page, Panel } from '../parts/Page.js';
import { AttendancePanel, ConsentsPanel, EngagementPanel } from './AttendancePanels.js';
import { BoardPanel } from './BoardPanel.js';
import { ChatPanel, PollsPanel, QuestionsPanel } from './InteractionPanels.js';
import { RecordingsPanel } from './RecordingsPanel.js';
import { TimelinePanel } from './TimelinePanel.js';
import { LedgerTable } from './LedgerTable.js';

const route = getRouteApi('/staff/rooms/$roomId');

export function Room() {
  const { t } = useTranslation();
  const { roomId } = route.useParams();
  const room = useQuery({
    ...queries.room(roomId),
    refetchInterval: ({ state }) => (state.data?.status === 'live' ? LIVE_MS : false),
  });
  const state = room.data && classState({ ...room.data, ...room.data.settings });
  return (
    <Page
      title={
        <>
          {room.data?.title ?? roomId} {state && <Badge kind={state}>{t(`states.${state}`)}</Badge>}
        </>
      }
      tabTitle={room.data?.title ?? roomId}
      actions={<Link to="/rooms">{t('room.back')}</Link>}
    >
      <Loaded of={room}>{(data) => <Details room={data} />}</Loaded>
    </Page>
  );
}

function Details({ room }: { room: WholeRoom }) {
  const { t } = useTranslation();
  const { number, moment, duration } = useFormat();
  const { roomId, status, startedAt, endedAt, participantCount, settings, createdAt, roomDescription, endReason, rosterSize } = room;
  const { consent, budget, startsAt } = settings;
  const isLive = status === 'live';
  const charged = useQuery({
    ...queries.day(startedAt?.slice(0, 10) ?? ''),
    enabled: budget !== null && startedAt !== null,
    refetchInterval: isLive && LIVE_MS,
  });
  // The list has the most expensive classes of the day: what another one has used is not known here.
  const used = startedAt ? charged.data?.find((it) => it.roomId === roomId)?.credits : 0;
  const budgetText = ({ maxCredits, onReached }: NonNullable<typeof budget>) => {
    const most = number(maxCredits);
    const amount =
      used === undefined ? t('creditsOf', { count: maxCredits, credits: most }) : t('room.budgetUsed', { used: number(used), most });
    return `${amount}; ${t(`room.budgetThen.${onReached}`, { defaultValue: onReached })}`;
  };
  const facts: [string, string][] = [
    [t('room.id'), roomId],
    [t('room.created'), moment(createdAt)],
    ...(roomDescription ? ([[t('room.description'), roomDescription]] as [string, string][]) : []),
    [t('room.most'), number(settings.maxParticipants)],
    ...(budget ? ([[t('room.budget'), budgetText(budget)]] as [string, string][]) : []),
    [t('room.autoRecord'), t(settings.autoRecord ? 'yes' : 'no')],
    [t('room.waiting'), t(settings.waitingRoom === 'OFF' ? 'no' : 'yes')],
    [
      t('room.consent'),
      consent.recording
        ? `${t(`room.consentAsk.${consent.recording.ask}`, { defaultValue: consent.recording.ask })}; ${t(`room.consentWithout.${consent.recording.without}`, { defaultValue: consent.recording.without })} (${consent.recording.version})`
        : t('room.consentNone'),
    ],
    ...(consent.recording ? ([[t('room.consentText'), consent.recording.text]] as [string, string][]) : []),
    [t('room.ai'), t(consent.ai ? 'yes' : 'no')],
    ...(rosterSize > 0 ? ([[t('room.roster'), number(rosterSize)]] as [string, string][]) : []),
    ...(endReason ? ([[t('room.endReason'), t(`endReasons.${endReason}`, { defaultValue: endReason })]] as [string, string][]) : []),
  ];
  return (
    <>
      <dl className="figures">
        {startsAt && <Figure name={t('room.planned')} value={moment(startsAt)} />}
        <Figure name={t('rooms.started')} value={startedAt ? moment(startedAt) : '–'} />
        <Figure name={t('room.ended')} value={endedAt ? moment(endedAt) : '–'} />
        {startedAt && endedAt && <Figure name={t('rooms.length')} value={duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)} />}
        {isLive && <Figure name={t('rooms.present')} value={number(participantCount)} />}
      </dl>
      {startedAt && (
        <>
          <TimelinePanel roomId={roomId} isLive={isLive} />
          <AttendancePanel roomId={roomId} isLive={isLive} />
          <EngagementPanel roomId={roomId} />
          <RecordingsPanel roomId={roomId} isOver={status === 'finished'} />
          <PollsPanel roomId={roomId} />
          <BoardPanel roomId={roomId} />
          <ChatPanel roomId={roomId} />
          {consent.ai && <QuestionsPanel roomId={roomId} />}
          <RoomCosts roomId={roomId} />
        </>
      )}
      {consent.recording && <ConsentsPanel roomId={roomId} isOver={status === 'finished'} />}
      <Panel title={t('room.settings')}>
        <Facts facts={facts} />
      </Panel>
    </>
  );
}

/** The charges of a class. Each leads to the sessions behind it. */
function RoomCosts({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const ledger = useInfiniteQuery(queries.ledger({ roomId }));
  return (
    <Panel
      title={t('room.costs')}
      actions={
        <Link to="/ledger" search={{ roomId }}>
          {t('room.inLedger')}
        </Link>
      }
    >
      <Loaded of={ledger}>{({ pages }) => <LedgerTable entries={pages.flatMap(({ entries }) => entries)} more={ledger} />}</Loaded>
    </Panel>
  );
}
