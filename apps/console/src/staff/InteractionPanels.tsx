import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queries, type ChatMessage, type Poll } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { CsvButton, DataTable, type Column } from '../parts/DataTable.js';
import { Empty, Loaded, Panel } from '../parts/Page.js';

/** What was written in a class. It is read on demand: each request is in the audit log. */
export function ChatPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const path = `/v1/room/${encodeURIComponent(roomId)}/chat`;
  return (
    <Panel title={t('chat.title')} note={t('onDemand')} actions={isShown && <CsvButton path={path} name="chat.csv" />}>
      {isShown ? (
        <Messages roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-chat" onClick={() => setShown(true)}>
          {t('chat.show')}
        </button>
      )}
    </Panel>
  );
}

function Messages({ roomId }: { roomId: string }) {
  const { t, i18n } = useTranslation();
  const { clock } = useFormat();
  const chat = useInfiniteQuery(queries.chat(roomId));
  const columns = useMemo(
    (): Column<ChatMessage>[] => [
      {
        id: 'text',
        header: t('chat.message'),
        width: 'minmax(0, 3fr)',
        cell: ({ text, deletedAt, audience, reports }) => (
          <span className="two-lines">
            <span className={deletedAt ? 'quiet' : 'wrap'}>{deletedAt ? t('chat.deleted') : text}</span>
            {audience && <span className="quiet small">{t('chat.toTeachers')}</span>}
            {reports && <span className="danger-text small">{t('chat.reported', { count: reports })}</span>}
          </span>
        ),
      },
      { id: 'name', header: t('attendance.name'), isDetail: true, cell: ({ name }) => <span className="clip">{name}</span> },
      { id: 'at', header: t('ledger.at'), width: '90px', isDetail: true, cell: ({ sentAt }) => clock(sentAt) },
    ],
    [i18n.language],
  );
  return (
    <Loaded of={chat}>
      {({ pages }) => (
        <DataTable
          name={t('chat.title')}
          rows={pages.flatMap(({ messages }) => messages)}
          idOf={({ id }) => id}
          columns={columns}
          empty={t('chat.none')}
          more={chat}
        />
      )}
    </Loaded>
  );
}

/** The polls of a class, with the number of votes for each option. They are read on demand: each request is in the audit log. */
export function PollsPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Panel title={t('polls.title')} note={t('onDemand')}>
      {isShown ? (
        <Polls roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-polls" onClick={() => setShown(true)}>
          {t('polls.show')}
        </button>
      )}
    </Panel>
  );
}

function Polls({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const polls = useQuery(queries.polls(roomId));
  return (
    <Loaded of={polls}>
      {(list) => (list.length === 0 ? <Empty>{t('polls.none')}</Empty> : list.map((poll) => <Votes key={poll.pollId} poll={poll} />))}
    </Loaded>
  );
}

function Votes({ poll: { question, options, correctOption, totalVotes, createdBy, createdAt } }: { poll: Poll }) {
  const { t } = useTranslation();
  const { clock, number } = useFormat();
  return (
    <section aria-label={question}>
      <h3>{question}</h3>
      <p className="quiet small">{t('polls.by', { name: createdBy.name, time: clock(createdAt), count: totalVotes })}</p>
      <ul className="lines">
        {options.map(({ text, votes }, index) => (
          // An option has no identity but its place.
          <li key={index}>
            <span className="wrap">
              {text}
              {index === correctOption && <span className="quiet small"> · {t('polls.correct')}</span>}
            </span>
            <strong className="at-end">{number(votes)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a class asked its tutor. It is read on demand: a model may summarize it, and each request is in the audit log. */
export function QuestionsPanel({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Panel title={t('questions.title')} note={`${t('onDemand')} ${t('questions.note')}`}>
      {isShown ? (
        <Questions roomId={roomId} />
      ) : (
        <button type="button" className="button" data-action="show-questions" onClick={() => setShown(true)}>
          {t('questions.show')}
        </button>
      )}
    </Panel>
  );
}

function Questions({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const questions = useQuery(queries.questions(roomId));
  return (
    <Loaded of={questions}>
      {({ summary, topQueries }) =>
        topQueries.length === 0 ? (
          <p className="state quiet">{t('questions.none')}</p>
        ) : (
          <>
            <p>{summary}</p>
            <ol className="lines">
              {topQueries.map(({ question, answer, frequency }) => (
                <li key={question}>
                  <strong className="wrap">{question}</strong>
                  {frequency > 1 && <span className="quiet">{t('questions.times', { count: frequency })}</span>}
                  <span className="quiet wide wrap">{answer}</span>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
  );
}
