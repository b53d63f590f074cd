import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../api/queries.js';
import type { Poll } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

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
