import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../parts/panel-context.js';
import { useClassField } from '../parts/use-class-field.js';
import { PollForm } from './PollForm.js';
import { PollView } from './PollView.js';

export function PollsPanel() {
  const { t } = useTranslation('panels');
  const panel = usePanel();
  const polls = useClassField(panel.store, 'polls');
  const ownVotes = useClassField(panel.store, 'ownVotes');
  const isLoaded = useClassField(panel.store, 'isLoaded');
  const [isCreating, setCreating] = useState(false);
  return (
    <div className="polls-panel">
      {panel.permissions.managePolls &&
        (isCreating ? (
          <PollForm onClose={() => setCreating(false)} />
        ) : (
          <button type="button" className="button polls-new" data-action="new-poll" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            {t('polls.new')}
          </button>
        ))}
      {isLoaded && polls.length === 0 && !isCreating && (
        <p className="panel-empty">{t(panel.permissions.managePolls ? 'polls.emptyForTeacher' : 'polls.empty')}</p>
      )}
      {polls.toReversed().map((poll) => (
        <article key={poll.pollId} className="poll" data-poll={poll.pollId}>
          <header>
            <span className={poll.status === 'open' ? 'poll-status is-open' : 'poll-status'}>{t(`polls.status.${poll.status}`)}</span>
            <h3 dir="auto">{poll.question}</h3>
          </header>
          <PollView poll={poll} ownVote={ownVotes[poll.pollId]} {...panel} />
        </article>
      ))}
    </div>
  );
}
