import { useMemo } from 'react';
import { ArrowDown } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { FailureLine, useAction } from '../ui/action.js';
import { usePanel, useClassField } from '../ui/panel-context.js';
import { useLoaded } from '../ui/LoadedPanel.js';
import { Composer } from './Composer.js';
import { groupMessages } from './messages.js';
import { MessageGroup, MessageText } from './Message.js';
import { useScroll } from './use-scroll.js';
import { usePart } from '../app/context.js';
import { useStore } from '../store.js';
import { Chat } from './chat.js';
import type { OutgoingMessage } from './outbox.js';

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
