import { useEffect, useId, useRef, type FormEvent } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { Switch } from '../../ui/Switch.js';
import { FailureLine } from '../parts/FailureLine.js';
import { usePanel } from '../parts/panel-context.js';
import { useAction } from '../parts/use-action.js';
import { useDraft } from '../parts/use-draft.js';
import {
  changeOption,
  EMPTY_DRAFT,
  hasSameOptions,
  MIN_OPTIONS,
  MAX_OPTIONS,
  MAX_QUESTION_LENGTH,
  toggleCorrect,
  toPollInput,
  withOption,
  withoutOption,
} from './poll-draft.js';
import { OptionField } from './OptionField.js';

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
    setTimeout(() => [...(options.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus());
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
          <OptionField
            key={key}
            text={text}
            number={index + 1}
            isCorrect={key === draft.correct}
            onText={(value) => setDraft(changeOption(draft, key, value))}
            onCorrect={() => setDraft(toggleCorrect(draft, key))}
            onRemove={draft.options.length > MIN_OPTIONS ? () => setDraft(withoutOption(draft, key)) : undefined}
          />
        ))}
        {draft.options.length < MAX_OPTIONS && (
          <button type="button" className="text-button" data-action="add-option" onClick={add}>
            <Plus aria-hidden />
            {t('polls.addOption')}
          </button>
        )}
        <p className="field-hint">{t('polls.correctHint')}</p>
      </div>
      <Switch
        name="hide-result"
        label={t('polls.hideResult')}
        hint={t('polls.hideResultHint')}
        isOn={draft.hideResult}
        onChange={(hideResult) => setDraft({ ...draft, hideResult })}
      />
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
