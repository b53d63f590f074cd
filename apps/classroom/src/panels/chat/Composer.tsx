import { useRef } from 'react';
import { SendHorizontal } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../parts/panel-context.js';
import { useDraft } from '../parts/use-draft.js';
import { charactersLeft, WritingField, type Sending } from '../parts/WritingField.js';

/** The server's limit, counted in Unicode characters. */
const MOST = 2000;
const NEAR_END = 200;
/** Directional marks, which phones insert around pasted numbers and names. They are invisible, and the service refuses them. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

export function Composer() {
  const { t } = useTranslation('panels');
  const { store } = usePanel();
  const [text, setText] = useDraft(store, 'chat', '');
  const area = useRef<HTMLTextAreaElement>(null);
  const left = charactersLeft(text, MOST);
  const said = text.replaceAll(DIRECTIONS, '').trim();
  const maySend = said !== '' && left >= 0;

  const send = (event: Sending) => {
    event.preventDefault();
    if (!maySend) return;
    store.sendMessage(said);
    setText('');
    area.current?.focus();
  };
  return (
    <form className="composer" onSubmit={send}>
      <WritingField
        area={area}
        text={text}
        onText={setText}
        onSend={send}
        label={t('chat.write')}
        action="chat-text"
        left={left}
        nearEnd={NEAR_END}
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
