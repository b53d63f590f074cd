import { useState, useEffect, useId, useRef, type FormEvent } from 'react';
import { Plus, CircleCheck, X } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { usePanel, useClassField, useDraft } from '../ui/panel-context.js';
import { PollView } from './PollView.js';
import { Switch } from '../ui/Switch.js';
import { FailureLine, useAction } from '../ui/action.js';
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
  MAX_OPTION_LENGTH,
} from './poll-draft.js';
import { keyOf } from '@classroom/page/keys';
import { useGrowing } from '../ui/MessageField.js';

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

interface Props {
  text: string;
  /** From 1. */
  number: number;
  isCorrect: boolean;
  onText(text: string): void;
  onCorrect(): void;
  /** Absent if there are as few options as a poll needs. */
  onRemove?: (() => void) | undefined;
}

/** One answer of a new poll. It grows with its text, which is one line: Enter starts the poll, as in a field of one line. */
export function OptionField({ text, number, isCorrect, onText, onCorrect, onRemove }: Props) {
  const { t } = useTranslation('panels');
  const area = useRef<HTMLTextAreaElement>(null);
  useGrowing(area, text);
  return (
    <div className="poll-option-field">
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        maxLength={MAX_OPTION_LENGTH}
        value={text}
        aria-label={t('polls.option', { number })}
        placeholder={t('polls.option', { number })}
        onChange={(event) => onText(event.target.value.replaceAll(/[\r\n]+/g, ' '))}
        onKeyDown={(event) => {
          if (keyOf(event.nativeEvent) !== 'Enter') return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <button
        type="button"
        className="icon-button poll-mark"
        aria-label={t('polls.markCorrect', { number })}
        title={t('polls.markCorrect', { number })}
        aria-pressed={isCorrect}
        data-action="mark-correct"
        onClick={onCorrect}
      >
        <CircleCheck aria-hidden />
      </button>
      {onRemove && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('polls.removeOption', { number })}
          title={t('polls.removeOption', { number })}
          onClick={onRemove}
        >
          <X aria-hidden />
        </button>
      )}
    </div>
  );
}
