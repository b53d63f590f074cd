import { useId, useLayoutEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { SendHorizontal } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../parts/panel-context.js';
import { useDraft } from '../parts/use-draft.js';

/** In characters as a person counts them; the server's own limit. */
const MOST = 2000;
const NEAR_END = 200;

export function Composer() {
  const { t } = useTranslation('panels');
  const { store } = usePanel();
  const [text, setText] = useDraft(store, 'chat', '');
  const area = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  const left = MOST - [...text].length;
  const maySend = text.trim() !== '' && left >= 0;

  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.blockSize = 'auto';
    current.style.blockSize = `${current.scrollHeight + 2}px`;
  }, [text]);

  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!maySend) return;
    store.sendMessage(text.trim());
    setText('');
    area.current?.focus();
  };
  return (
    <form className="composer" onSubmit={send}>
      {left <= NEAR_END && (
        <p className={left < 0 ? 'composer-left is-over' : 'composer-left'} id={hintId} role="status">
          {left < 0 ? t('chat.over', { count: -left }) : t('chat.left', { count: left })}
        </p>
      )}
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        value={text}
        placeholder={t('chat.write')}
        aria-label={t('chat.write')}
        aria-describedby={left <= NEAR_END ? hintId : undefined}
        aria-invalid={left < 0}
        data-action="chat-text"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // While a word is being composed, Enter chooses it.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      <button type="submit" className="icon-button composer-send" disabled={!maySend} aria-label={t('chat.send')} title={t('chat.send')} data-action="chat-send">
        <SendHorizontal aria-hidden />
      </button>
    </form>
  );
}
