import { useId, useCallback, useEffect, useState } from 'react';
import { X } from 'lucide-react';
import type { Permissions, Poll } from '@classroom/contracts';
import type { ClassroomApi } from '../session/session.js';
import type { ClassStore } from '../class/class-store.js';
import { useTranslation } from '../i18n/index.js';
import { useClassField } from '../ui/panel-context.js';
import { PollView } from './PollView.js';
import './polls.css';

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
