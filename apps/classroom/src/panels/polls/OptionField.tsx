import { useRef } from 'react';
import { CircleCheck, X } from 'lucide-react';
import { keyOf } from '@classroom/page/keys';
import { useTranslation } from '../../i18n/index.js';
import { useGrowing } from '../parts/use-growing.js';
import { MAX_OPTION_LENGTH } from './poll-draft.js';

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
