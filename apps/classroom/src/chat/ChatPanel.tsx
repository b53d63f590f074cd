import { useMemo, useRef } from 'react';
import { ArrowDown, SendHorizontal } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { usePart } from '../app/context.js';
import { useClassField, useDraft, usePanel } from '../ui/panel-context.js';
import { Chat, type OutgoingMessage } from './chat.js';
import { remainingCharacters, MessageField, type SendEvent } from '../ui/MessageField.js';
import { isVisible, toSent } from '../ui/visible.js';
import { FailureLine, useAction } from '../ui/action.js';
import { useLoaded } from '../ui/LoadedPanel.js';
import { groupMessages } from './messages.js';
import { MessageGroup, MessageText } from './Message.js';
import { useScroll } from './use-scroll.js';
import { useStore } from '../store.js';

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

const loadModeration = () => import('./Moderation.js');

export function ChatPanel() {
  const { t } = useTranslation('panels');
  const { store, self, permissions } = usePanel();
  const mode = useClassField(store, 'room')?.chat?.mode;
  const { part: moderation } = useLoaded(loadModeration);
  // The service decides; this only hides what would fail. The settings are for students.
  const isRestricted = !permissions.manageParticipants;
  const messages = useClassField(store, 'messages');
  const outbox = useStore(usePart(Chat).outbox, (state) => state.messages);
  const hasOlder = useClassField(store, 'hasOlderMessages');
  const isLoaded = useClassField(store, 'isLoaded');
  const older = useAction(store);
  const groups = useMemo(() => groupMessages(messages), [messages]);
  const loadOlder = () => {
    if (hasOlder && !older.failure) void older.runAction(() => store.loadOlderMessages());
  };
  const { ref, unseen, onScroll, scrollToEnd } = useScroll({
    first: messages[0]?.id ?? '',
    last: messages.at(-1)?.id ?? '',
    count: messages.length,
    own: outbox.length,
    onTop: loadOlder,
  });
  return (
    <div className="chat-panel">
      <div className="chat-scroll" ref={ref} onScroll={onScroll} role="log" aria-label={t('chat.messages')} tabIndex={0}>
        {hasOlder && (
          <button
            type="button"
            className="text-button chat-older"
            disabled={older.isBusy}
            onClick={() => void older.runAction(() => store.loadOlderMessages())}
          >
            {t(older.isBusy ? 'chat.loading' : 'chat.older')}
          </button>
        )}
        <FailureLine code={older.failure?.code} />
        {isLoaded && messages.length + outbox.length === 0 && <p className="panel-empty">{t('chat.empty')}</p>}
        <ol>
          {groups.map((group) => (
            <MessageGroup key={group[0].id} group={group} isOwn={group[0].uid === self.uid} Message={moderation?.ModeratedMessage} />
          ))}
          <OutgoingList outbox={outbox} />
        </ol>
      </div>
      {unseen > 0 && (
        <button type="button" className="chat-new" onClick={scrollToEnd}>
          <ArrowDown aria-hidden />
          {t('chat.new', { count: unseen })}
        </button>
      )}
      {moderation && <moderation.ChatSettings />}
      {permissions.chat && !(isRestricted && mode === 'OFF') && (
        <Composer label={t(isRestricted && mode === 'TEACHERS' ? 'chat.writeToTeachers' : 'chat.write')} />
      )}
    </div>
  );
}

/** The participant's messages that the class does not have yet. */
export function OutgoingList({ outbox }: { outbox: readonly OutgoingMessage[] }) {
  const { t } = useTranslation('panels');
  const own = usePart(Chat).outbox;
  return outbox.map(({ id, text, failure }) => (
    <li key={id} className={failure ? 'chat-outgoing is-failed' : 'chat-outgoing'} data-outgoing={failure ?? 'sending'}>
      <MessageText text={text} />
      {failure ? (
        <p className="chat-failure">
          <span>{t([`chat.failed.${failure}`, 'chat.failed.OTHER'])}</span>
          <button type="button" className="text-button" data-action="retry-message" onClick={() => own.retry(id)}>
            {t('chat.retry')}
          </button>
          <button type="button" className="text-button" data-action="discard-message" onClick={() => own.discard(id)}>
            {t('chat.discard')}
          </button>
        </p>
      ) : (
        <p className="chat-sending">{t('chat.sending')}</p>
      )}
    </li>
  ));
}
