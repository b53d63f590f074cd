import { useEffect, useId, useRef, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { remainingCharacters } from '../../panels/parts/MessageField.js';
import { useGrowing } from '../../panels/parts/use-growing.js';
import { isVisible, toSent } from '../../panels/parts/visible.js';

/** The server's limit, counted in Unicode characters. */
const MAX_LENGTH = 4000;

interface Props {
  question: string;
  text: string;
  onText(text: string): void;
  onSend(answer: string): Promise<void>;
  onCancel(): void;
}

/** A teacher's answer in writing. */
export function AnswerField({ question, text, onText, onSend, onCancel }: Props) {
  const { t } = useTranslation(['tutor', 'panels']);
  const area = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  useGrowing(area, text);
  useEffect(() => area.current?.focus(), []);
  const answer = toSent(text);
  const maySend = isVisible(answer) && remainingCharacters(answer, MAX_LENGTH) >= 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (maySend) void onSend(answer);
  };
  return (
    <form className="field tutor-answer-field" onSubmit={send}>
      <textarea
        ref={area}
        rows={2}
        dir="auto"
        value={text}
        maxLength={MAX_LENGTH}
        aria-label={t('questions.answerOf', { question })}
        aria-describedby={hintId}
        data-action="answer-text"
        onChange={(event) => onText(event.target.value)}
      />
      <p className="field-hint" id={hintId}>
        {t('questions.answerHint')}
      </p>
      <div className="form-actions">
        <button type="button" className="button" data-action="cancel-answer" onClick={onCancel}>
          {t('panels:cancel')}
        </button>
        <button type="submit" className="button primary" disabled={!maySend} data-action="send-answer">
          {t('questions.sendAnswer')}
        </button>
      </div>
    </form>
  );
}
