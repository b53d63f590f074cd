import { useId, useState, type FormEvent } from 'react';
import type { Poll } from '@classroom/contracts';
import type { ClassStore } from '../../class/class-store.js';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../parts/FailureLine.js';
import { useAction } from '../parts/use-action.js';

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
