import { RotateCcw } from 'lucide-react';
import type { Permissions, Poll } from '@classroom/contracts';
import type { ClassroomApi } from '../../class/api.js';
import type { ClassStore } from '../../class/class-store.js';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../parts/FailureLine.js';
import { useAction } from '../parts/use-action.js';
import { PollResult } from './PollResult.js';
import { PollVote } from './PollVote.js';
import { toRepeatedPoll } from './poll-draft.js';

interface Props {
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
export function PollView({ poll, ownVote, store, api, permissions, voters }: Props) {
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
