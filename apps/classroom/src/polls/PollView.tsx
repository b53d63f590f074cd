import { Check, CircleCheck, RotateCcw, X } from 'lucide-react';
import type { Permissions, Poll } from '@classroom/contracts';
import { useCallback, useEffect, useId, useState, type FormEvent } from 'react';
import type { ClassroomApi } from '../session/session.js';
import type { ClassStore } from '../class/class-store.js';
import { useTranslation } from '../i18n/index.js';
import { FailureLine, useAction } from '../ui/action.js';
import { toRepeatedPoll, voteShare } from './poll-draft.js';
import { useClassField } from '../ui/panel-context.js';
import './polls.css';

interface PollViewProps {
  poll: Poll;
  ownVote: number | undefined;
  store: ClassStore;
  api: ClassroomApi;
  permissions: Permissions;
  voters: number;
}

/**
 * Shows the vote first and then the live result, or the answers alone while the result is hidden. Participants who manage polls, or may not
 * vote, see no vote.
 */
export function PollView({ poll, ownVote, store, api, permissions, voters }: PollViewProps) {
  const { t } = useTranslation('panels');
  const { runAction, isBusy, failure } = useAction(store);
  const { managePolls: mayManage, answerPolls } = permissions;
  if (poll.status === 'open' && ownVote === undefined && !mayManage && answerPolls) return <PollVote poll={poll} store={store} />;
  return (
    <>
      <PollResult poll={poll} ownVote={ownVote} voters={voters} isHidden={poll.status === 'open' && !!poll.hideResult && !mayManage} />
      {poll.status === 'open' && poll.hideResult && mayManage && <p className="poll-total">{t('polls.hiddenFromStudents')}</p>}
      <FailureLine code={failure?.code} />
      {poll.status === 'open' && mayManage && (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          data-action="close-poll"
          onClick={() => void runAction(() => api.closePoll({ pollId: poll.pollId }))}
        >
          {t('polls.close')}
        </button>
      )}
      {poll.status === 'closed' && mayManage && (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          data-action="repeat-poll"
          onClick={() => void runAction(() => api.createPoll(toRepeatedPoll(poll)))}
        >
          <RotateCcw aria-hidden />
          {t('polls.repeat')}
        </button>
      )}
    </>
  );
}

export function PollVote({ poll, store }: { poll: Poll; store: ClassStore }) {
  const { t } = useTranslation('panels');
  const [chosen, setChosen] = useState<number>();
  const { runAction, isBusy, failure } = useAction(store);
  const name = useId();
  const vote = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== undefined) void runAction(() => store.vote(poll.pollId, chosen));
  };
  return (
    <form className="poll-vote" onSubmit={vote}>
      <fieldset disabled={isBusy}>
        <legend className="unseen">{poll.question}</legend>
        {poll.options.map(({ text }, index) => (
          <label key={index} className="poll-choice">
            <input type="radio" name={name} checked={chosen === index} data-option={index} onChange={() => setChosen(index)} />
            <span dir="auto">{text}</span>
          </label>
        ))}
      </fieldset>
      <FailureLine code={failure?.code} />
      <button type="submit" className="button primary" disabled={chosen === undefined || isBusy} data-action="vote">
        {t('polls.vote')}
      </button>
    </form>
  );
}

interface PollResultProps {
  poll: Poll;
  ownVote: number | undefined;
  voters: number;
  /** Whether the participant sees the votes only once the poll is closed. */
  isHidden: boolean;
}

export function PollResult({ poll, ownVote, voters, isHidden }: PollResultProps) {
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

interface Props {
  store: ClassStore;
  api: ClassroomApi;
  permissions: Permissions;
  voters: number;
  /** Set while the same poll is shown elsewhere. */
  isHidden?: boolean;
}

/** Shows the open poll over the stage until the participant dismisses it, without taking the focus. */
export function PollCard({ store, api, permissions, voters, isHidden = false }: Props) {
  const { t } = useTranslation('panels');
  const polls = useClassField(store, 'polls');
  const ownVotes = useClassField(store, 'ownVotes');
  const { poll, dismiss } = usePollOnStage(polls);
  const titleId = useId();
  if (!poll || isHidden) return null;
  return (
    <section className="poll-card" aria-labelledby={titleId} data-poll-card={poll.pollId}>
      <header>
        <div>
          <span className={poll.status === 'open' ? 'poll-status is-open' : 'poll-status'}>{t(`polls.status.${poll.status}`)}</span>
          <h2 id={titleId} dir="auto">
            {poll.question}
          </h2>
        </div>
        <button
          type="button"
          className="icon-button"
          aria-label={t('polls.dismiss')}
          title={t('polls.dismiss')}
          data-action="put-poll-aside"
          onClick={dismiss}
        >
          <X aria-hidden />
        </button>
      </header>
      <PollView
        key={poll.pollId}
        poll={poll}
        ownVote={ownVotes[poll.pollId]}
        store={store}
        api={api}
        permissions={permissions}
        voters={voters}
      />
    </section>
  );
}

/** How long a final result is shown, in milliseconds. */
const RESULT_MS = 20_000;

/** The newest open poll that the participant has not dismissed; after it closes, its result for a while. */
export function usePollOnStage(polls: readonly Poll[]): { poll: Poll | undefined; dismiss(): void } {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [lastShown, setLastShown] = useState<string>();
  const open = polls.findLast(({ pollId, status }) => status === 'open' && !dismissed.has(pollId));
  const poll = open ?? polls.find(({ pollId }) => pollId === lastShown && !dismissed.has(pollId));
  const pollId = poll?.pollId;
  const dismiss = useCallback(() => {
    if (pollId) setDismissed((dismissed) => new Set(dismissed).add(pollId));
  }, [pollId]);

  useEffect(() => setLastShown(pollId), [pollId]);
  const isResult = poll?.status === 'closed';
  useEffect(() => {
    if (!isResult) return undefined;
    const timer = setTimeout(dismiss, RESULT_MS);
    return () => clearTimeout(timer);
  }, [isResult, dismiss]);
  return { poll, dismiss };
}
