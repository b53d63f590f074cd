import { useId, useLayoutEffect, type FormEvent, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from '../../i18n/index.js';

export type Sending = FormEvent | KeyboardEvent;

/** Counts Unicode characters; negative if the text is too long. */
export const charactersLeft = (text: string, most: number) => most - [...text].length;

interface Props {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  /** Called for Enter without Shift. */
  onSend: (event: Sending) => void;
  label: string;
  action: string;
  left: number;
  /** The field shows the remaining characters once there are no more than this many. */
  nearEnd: number;
}

/** A text field for messages: grows with its text, and shows the remaining characters near the limit. */
export function WritingField({ area, text, onText, onSend, label, action, left, nearEnd }: Props) {
  const { t } = useTranslation('panels');
  const hintId = useId();

  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.blockSize = 'auto';
    current.style.blockSize = `${current.scrollHeight + 2}px`;
  }, [area, text]);

  return (
    <>
      {left <= nearEnd && (
        <p className={left < 0 ? 'composer-left is-over' : 'composer-left'} id={hintId} role="status">
          {left < 0 ? t('chat.over', { count: -left }) : t('chat.left', { count: left })}
        </p>
      )}
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        value={text}
        placeholder={label}
        aria-label={label}
        aria-describedby={left <= nearEnd ? hintId : undefined}
        aria-invalid={left < 0}
        data-action={action}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          // During input-method composition, Enter confirms the word.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) onSend(event);
        }}
      />
    </>
  );
}
