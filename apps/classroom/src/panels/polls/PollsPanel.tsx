import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../parts/panel-context.js';
import { useClassPart } from '../parts/use-class-state.js';
import { PollForm } from './PollForm.js';
import { PollView } from './PollView.js';

export function PollsPanel() {
  const { t } = useTranslation('panels');
  const tools = usePanel();
  const polls = useClassPart(tools.store, 'polls');
  const ownVotes = useClassPart(tools.store, 'ownVotes');
  const isLoaded = useClassPart(tools.store, 'isLoaded');
  const [isWriting, setWriting] = useState(false);
  return (
    <div className="polls-panel">
      {tools.permissions.managePolls &&
        (isWriting ? (
          <PollForm onClose={() => setWriting(false)} />
        ) : (
          <button type="button" className="button polls-new" data-action="new-poll" onClick={() => setWriting(true)}>
            <Plus aria-hidden />
            {t('polls.new')}
          </button>
        ))}
      {isLoaded && polls.length === 0 && !isWriting && (
        <p className="panel-empty">{t(tools.permissions.managePolls ? 'polls.emptyForTeacher' : 'polls.empty')}</p>
      )}
      {polls.toReversed().map((poll) => (
        <article key={poll.pollId} className="poll" data-poll={poll.pollId}>
          <header>
            <span className={poll.status === 'open' ? 'poll-status is-open' : 'poll-status'}>{t(`polls.status.${poll.status}`)}</span>
            <h3 dir="auto">{poll.question}</h3>
          </header>
          <PollView poll={poll} ownVote={ownVotes[poll.pollId]} {...tools} />
        </article>
      ))}
    </div>
  );
}
