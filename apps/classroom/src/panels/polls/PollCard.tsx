import { useId } from 'react';
import { X } from 'lucide-react';
import type { Permissions } from '@classroom/contracts';
import type { ClassroomApi } from '../../class/api.js';
import type { ClassStore } from '../../class/class-store.js';
import { useTranslation } from '../../i18n/index.js';
import { useClassField } from '../parts/use-class-field.js';
import { PollView } from './PollView.js';
import { usePollOnStage } from './use-poll-on-stage.js';

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
