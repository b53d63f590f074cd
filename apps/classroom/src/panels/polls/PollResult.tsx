import { Check, CircleCheck } from 'lucide-react';
import type { Poll } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import { voteShare } from './vote-share.js';

interface Props {
  poll: Poll;
  ownVote: number | undefined;
  voters: number;
  /** Whether the participant sees the votes only once the poll is closed. */
  isHidden: boolean;
}

export function PollResult({ poll, ownVote, voters, isHidden }: Props) {
  const { t, i18n } = useTranslation('panels');
  const percents = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  const total = () => {
    if (isHidden) return t(ownVote === undefined ? 'polls.hidden' : 'polls.hiddenAfterVote');
    if (poll.status === 'closed') return t('polls.total', { count: poll.totalVotes });
    if (voters === 0) return t('polls.totalSoFar', { count: poll.totalVotes });
    return t('polls.totalSoFarOf', { count: poll.totalVotes, of: Math.max(voters, poll.totalVotes) });
  };
  return (
    <>
      <ol className="poll-result">
        {poll.options.map(({ text, votes }, index) => {
          const share = voteShare(votes, poll.totalVotes);
          const states = [index === ownVote && 'is-own', index === poll.correctOption && 'is-correct'].filter(Boolean).join(' ');
          return (
            <li key={index} className={states || undefined}>
              {!isHidden && <span className="poll-bar" style={{ inlineSize: `${share * 100}%` }} aria-hidden />}
              <span className="poll-answer" dir="auto">
                {text}
                {index === ownVote && <Check role="img" aria-label={t('polls.ownVote')} />}
                {index === poll.correctOption && (
                  <span className="poll-correct">
                    <CircleCheck aria-hidden />
                    {t('polls.correct')}
                  </span>
                )}
              </span>
              {!isHidden && (
                <span className="poll-count">
                  <span className="unseen">{t('polls.votes', { count: votes })}, </span>
                  <span aria-hidden>{votes}</span>
                  <bdi className="poll-percent">{percents.format(share)}</bdi>
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p className="poll-total" role="status">
        {total()}
      </p>
    </>
  );
}
