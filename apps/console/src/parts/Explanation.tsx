import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Explained } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from './DataTable.js';
import { Badge, Facts, Figure, Panel } from './Page.js';

interface ExplanationProps {
  explained: Explained;
  /** Whether the class has a page here: operators have none. */
  isRoomLinked: boolean;
  /** Of participants, by uid. */
  names?: ReadonlyMap<string, string> | undefined;
}

/** An entry of the ledger, with the sessions or the AI usage from which it can be computed again. */
export function Explanation({ explained, isRoomLinked, names }: ExplanationProps) {
  const { t } = useTranslation();
  const { number, amount, moment, exact, duration } = useFormat();
  const { entry, totalSeconds, totalCredits, chargedBefore, isConsistent, sessions, aiUsage } = explained;
  const isCharge = entry.sid !== null || aiUsage !== undefined;
  const { roomId } = entry;
  return (
    <>
      <dl className="figures">
        <Figure name={t('ledger.credits')} value={number(entry.credits)} />
        <Figure name={t('ledger.amount')} value={amount(entry.amount, entry.currency)} />
        <Figure name={t('ledger.at')} value={moment(entry.recordedAt)} />
      </dl>
      <Panel title={t('explain.title')}>
        {isCharge && (
          <p className="equation">
            {t('explain.equation', {
              total: number(totalCredits),
              time: duration(totalSeconds),
              before: number(chargedBefore),
              credits: number(totalCredits - chargedBefore),
            })}{' '}
            <Badge kind={isConsistent ? 'completed' : 'failed'}>{t(isConsistent ? 'explain.right' : 'explain.wrong')}</Badge>
          </p>
        )}
        <Facts
          facts={[
            ...(roomId
              ? [
                  [
                    t('explain.room'),
                    isRoomLinked ? (
                      <Link key="room" to="/rooms/$roomId" params={{ roomId }}>
                        {roomId}
                      </Link>
                    ) : (
                      roomId
                    ),
                  ] as const,
                ]
              : []),
            ...(entry.chargedThrough ? [[t('explain.through'), exact(entry.chargedThrough)] as const] : []),
            ...(entry.reference ? [[t('explain.reference'), entry.reference] as const] : []),
            ...(entry.note ? [[t('explain.note'), entry.note] as const] : []),
            [t('explain.rate'), `${number(entry.creditRate)} ${entry.currency}`] as const,
          ]}
        />
      </Panel>
      {sessions.length > 0 && (
        <Panel title={t('explain.sessions')} note={t('explain.sessionsNote')}>
          <Sessions sessions={sessions} names={names} />
        </Panel>
      )}
      {aiUsage && (
        <Panel title={t('explain.ai')}>
          <AiUsage usage={aiUsage} />
        </Panel>
      )}
    </>
  );
}

function Sessions({ sessions, names }: Pick<ExplanationProps, 'names'> & { sessions: Explained['sessions'] }) {
  const { t, i18n } = useTranslation();
  const { exact, duration } = useFormat();
  const columns = useMemo(
    (): Column<Explained['sessions'][number]>[] => [
      {
        id: 'uid',
        header: t('explain.participant'),
        sortBy: ({ uid }) => names?.get(uid) ?? uid,
        cell: ({ uid }) => (
          <span className="two-lines">
            <span className="clip">{names?.get(uid) ?? uid}</span>
            {names?.has(uid) && <span className="clip quiet small">{uid}</span>}
          </span>
        ),
      },
      {
        id: 'from',
        header: t('attendance.from'),
        width: 'minmax(0, 1.6fr)',
        isDetail: true,
        sortBy: ({ joinedAt }) => joinedAt,
        cell: ({ joinedAt }) => exact(joinedAt),
      },
      {
        id: 'to',
        header: t('attendance.to'),
        width: 'minmax(0, 1.6fr)',
        isDetail: true,
        cell: ({ leftAt }) => (leftAt ? exact(leftAt) : '–'),
      },
      {
        id: 'evidence',
        header: t('explain.evidence'),
        isDetail: true,
        cell: ({ openedBy, closedBy }) => {
          const [join, leave] = [openedBy, closedBy].map((by) => by && t(`evidence.${by}`, { defaultValue: by }));
          if (!leave) return join;
          return join === leave ? t('evidence.both', { by: join }) : t('evidence.each', { join, leave });
        },
      },
      {
        id: 'seconds',
        header: t('attendance.duration'),
        width: '110px',
        isNumber: true,
        sortBy: ({ seconds }) => seconds,
        cell: ({ seconds }) => duration(seconds),
      },
    ],
    [i18n.language, names],
  );
  return <DataTable name={t('explain.sessions')} rows={sessions} idOf={({ connectionSid }) => connectionSid} columns={columns} empty="" />;
}

function AiUsage({ usage }: { usage: NonNullable<Explained['aiUsage']> }) {
  const { t, i18n } = useTranslation();
  const { exact, number } = useFormat();
  const columns = useMemo(
    (): Column<(typeof usage)[number]>[] => [
      { id: 'at', header: t('ledger.at'), cell: ({ usedAt }) => exact(usedAt) },
      { id: 'kind', header: t('ledger.kind'), isDetail: true, cell: ({ kind }) => kind },
      {
        id: 'tokens',
        header: t('explain.tokens'),
        isNumber: true,
        isDetail: true,
        cell: ({ inputTokens, outputTokens }) => `${number(inputTokens)} / ${number(outputTokens)}`,
      },
      { id: 'credits', header: t('ledger.credits'), width: '110px', isNumber: true, cell: ({ credits }) => number(credits) },
    ],
    [i18n.language],
  );
  return <DataTable name={t('explain.ai')} rows={usage} idOf={({ usageId }) => usageId} columns={columns} empty="" />;
}
