import { useId, type FormEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react';
import { keyOf } from '@classroom/page/keys';
import { useTranslation } from '../i18n/index.js';

export type SendEvent = FormEvent | KeyboardEvent;

/** Counts Unicode characters; negative if the text is too long. */
export const remainingCharacters = (text: string, max: number) => max - [...text].length;

interface Props {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  /** Called for Enter without Shift. */
  onSend: (event: SendEvent) => void;
  label: string;
  action: string;
  remaining: number;
  /** The field shows the remaining characters once there are no more than this many. */
  warnAt: number;
}

/** A text field for messages: grows with its text, and shows the remaining characters near the limit. */
export function MessageField({ area, text, onText, onSend, label, action, remaining, warnAt }: Props) {
  const { t } = useTranslation('panels');
  const hintId = useId();

  useGrowing(area, text);

  return (
    <>
      {remaining <= warnAt && (
        <p className={remaining < 0 ? 'composer-left is-over' : 'composer-left'} id={hintId} role="status">
          {remaining < 0 ? t('chat.over', { count: -remaining }) : t('chat.left', { count: remaining })}
        </p>
      )}
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        value={text}
        placeholder={label}
        aria-label={label}
        aria-describedby={remaining <= warnAt ? hintId : undefined}
        aria-invalid={remaining < 0}
        data-action={action}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (keyOf(event.nativeEvent) === 'Enter' && !event.shiftKey) onSend(event);
        }}
      />
    </>
  );
}

/** Makes a text area as high as its text, also after its width has changed. */
export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (area.current) fit(area.current);
  }, [area, text]);
  useEffect(() => {
    const { current } = area;
    if (!current) return undefined;
    let width = current.clientWidth;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return;
      width = current.clientWidth;
      fit(current);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [area]);
}

function fit(area: HTMLTextAreaElement): void {
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight + 2}px`;
}
