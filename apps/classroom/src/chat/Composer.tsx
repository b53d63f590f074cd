import { useRef } from 'react';
import { SendHorizontal } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { usePart } from '../app/context.js';
import { useDraft, usePanel } from '../ui/panel-context.js';
import { Chat } from './chat.js';
import { remainingCharacters, MessageField, type SendEvent } from '../ui/MessageField.js';
import { isVisible, toSent } from '../ui/visible.js';

/** The server's limit, counted in Unicode characters. */
const MAX_LENGTH = 2000;
const WARN_AT = 200;

export function Composer({ label }: { label: string }) {
  const { t } = useTranslation('panels');
  const { store } = usePanel();
  const { outbox } = usePart(Chat);
  const [text, setText] = useDraft(store, 'chat', '');
  const area = useRef<HTMLTextAreaElement>(null);
  const remaining = remainingCharacters(text, MAX_LENGTH);
  const trimmedText = toSent(text);
  const maySend = isVisible(trimmedText) && remaining >= 0;

  const send = (event: SendEvent) => {
    event.preventDefault();
    if (!maySend) return;
    outbox.add(trimmedText);
    setText('');
    area.current?.focus();
  };
  return (
    <form className="composer" onSubmit={send}>
      <MessageField
        area={area}
        text={text}
        onText={setText}
        onSend={send}
        label={label}
        action="chat-text"
        remaining={remaining}
        warnAt={WARN_AT}
      />
      <button
        type="submit"
        className="icon-button composer-send"
        disabled={!maySend}
        aria-label={t('chat.send')}
        title={t('chat.send')}
        data-action="chat-send"
      >
        <SendHorizontal aria-hidden />
      </button>
    </form>
  );
}
