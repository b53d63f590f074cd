import { useMemo } from 'react';
import { ArrowDown } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { FailureLine } from '../parts/FailureLine.js';
import { usePanel } from '../parts/panel-context.js';
import { useAction } from '../parts/use-action.js';
import { useClassField } from '../parts/use-class-field.js';
import { useLoaded } from '../parts/use-loaded.js';
import { Composer } from './Composer.js';
import { groupMessages } from './groups.js';
import { MessageGroup } from './MessageGroup.js';
import { OutgoingList } from './OutgoingList.js';
import { useScroll } from './use-scroll.js';

const loadModeration = () => import('../moderation/index.js');

export function ChatPanel() {
  const { t } = useTranslation('panels');
  const { store, self, permissions } = usePanel();
  const mode = useClassField(store, 'room')?.chat?.mode;
  const { part: moderation } = useLoaded(loadModeration);
  // The service decides; this only hides what would fail. The settings are for students.
  const isRestricted = !permissions.manageParticipants;
  const messages = useClassField(store, 'messages');
  const outbox = useClassField(store, 'outbox');
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
