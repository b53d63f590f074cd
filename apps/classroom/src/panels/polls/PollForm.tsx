import { useEffect, useId, useRef, type FormEvent } from 'react';
import { Plus, X } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../parts/FailureLine.js';
import { usePanel } from '../parts/panel-context.js';
import { useAction } from '../parts/use-action.js';
import { useDraft } from '../parts/use-draft.js';
import {
  changeOption,
  EMPTY_DRAFT,
  hasSameOptions,
  MIN_OPTIONS,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
  MAX_QUESTION_LENGTH,
  toPollInput,
  withOption,
  withoutOption,
} from './poll-draft.js';

export function PollForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('panels');
  const { store, api } = usePanel();
  const [draft, setDraft] = useDraft(store, 'poll', EMPTY_DRAFT);
  const { runAction, isBusy, failure } = useAction(store);
  const id = useId();
  const question = useRef<HTMLTextAreaElement>(null);
  const options = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.focus(), []);
  const input = toPollInput(draft);

  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (!input || !(await runAction(() => api.createPoll(input)))) return;
    setDraft(EMPTY_DRAFT);
    onClose();
  };
  const add = () => {
    setDraft(withOption(draft));
    setTimeout(() => [...(options.current?.querySelectorAll('input') ?? [])].at(-1)?.focus());
  };
  return (
    <form className="poll-form" onSubmit={(event) => void start(event)}>
      <label className="field">
        <span>{t('polls.question')}</span>
        <textarea
          ref={question}
          rows={2}
          dir="auto"
          maxLength={MAX_QUESTION_LENGTH}
          value={draft.question}
          data-action="poll-question"
          onChange={(event) => setDraft({ ...draft, question: event.target.value })}
        />
      </label>
      <div className="field" role="group" aria-labelledby={id} ref={options}>
        <span id={id}>{t('polls.options')}</span>
        {draft.options.map(({ key, text }, index) => (
          <div className="poll-option-field" key={key}>
            <input
              dir="auto"
              maxLength={MAX_OPTION_LENGTH}
              value={text}
              aria-label={t('polls.option', { number: index + 1 })}
              placeholder={t('polls.option', { number: index + 1 })}
              onChange={(event) => setDraft(changeOption(draft, key, event.target.value))}
            />
            {draft.options.length > MIN_OPTIONS && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('polls.removeOption', { number: index + 1 })}
                onClick={() => setDraft(withoutOption(draft, key))}
              >
                <X aria-hidden />
              </button>
            )}
          </div>
        ))}
        {draft.options.length < MAX_OPTIONS && (
          <button type="button" className="text-button" data-action="add-option" onClick={add}>
            <Plus aria-hidden />
            {t('polls.addOption')}
          </button>
        )}
      </div>
      <p className="failure-line" role="status">
        {hasSameOptions(draft) && t('polls.sameOptions')}
      </p>
      <FailureLine code={failure?.code} />
      <div className="form-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="submit" className="button primary" disabled={!input || isBusy} data-action="start-poll">
          {t('polls.start')}
        </button>
      </div>
    </form>
  );
}
