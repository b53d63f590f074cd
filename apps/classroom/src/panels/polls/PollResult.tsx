import { Check } from 'lucide-react';
import type { Poll } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import { voteShare } from './vote-share.js';

export function PollResult({ poll, ownVote, voters }: { poll: Poll; ownVote: number | undefined; voters: number }) {
  const { t, i18n } = useTranslation('panels');
  const percents = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  return (
    <>
      <ol className="poll-result">
        {poll.options.map(({ text, votes }, index) => {
          const share = voteShare(votes, poll.totalVotes);
          return (
            <li key={index} className={index === ownVote ? 'is-own' : undefined}>
              <span className="poll-bar" style={{ inlineSize: `${share * 100}%` }} aria-hidden />
              <span className="poll-answer" dir="auto">
                {text}
                {index === ownVote && <Check role="img" aria-label={t('polls.ownVote')} />}
              </span>
              <span className="poll-count">
                <span className="unseen">{t('polls.votes', { count: votes })}, </span>
                <span aria-hidden>{votes}</span>
                <bdi className="poll-percent">{percents.format(share)}</bdi>
              </span>
            </li>
          );
        })}
      </ol>
      <p className="poll-total" role="status">
        {poll.status === 'open' && voters > 0
          ? t('polls.totalSoFarOf', { count: poll.totalVotes, of: Math.max(voters, poll.totalVotes) })
          : t(poll.status === 'open' ? 'polls.totalSoFar' : 'polls.total', { count: poll.totalVotes })}
      </p>
    </>
  );
}
