import { useTranslation } from '../../i18n/index.js';
import type { OutgoingMessage } from '../../class/snapshot.js';
import { usePanel } from '../parts/panel-context.js';
import { MessageText } from './MessageText.js';

/** The participant's messages that the class does not have yet. */
export function OutgoingList({ outbox }: { outbox: readonly OutgoingMessage[] }) {
  const { t } = useTranslation('panels');
  const { store } = usePanel();
  return outbox.map(({ id, text, failure }) => (
    <li key={id} className={failure ? 'chat-outgoing is-failed' : 'chat-outgoing'} data-outgoing={failure ?? 'sending'}>
      <MessageText text={text} />
      {failure ? (
        <p className="chat-failure">
          <span>{t([`chat.failed.${failure}`, 'chat.failed.OTHER'])}</span>
          <button type="button" className="text-button" data-action="retry-message" onClick={() => store.retryMessage(id)}>
            {t('chat.retry')}
          </button>
          <button type="button" className="text-button" data-action="discard-message" onClick={() => store.discardMessage(id)}>
            {t('chat.discard')}
          </button>
        </p>
      ) : (
        <p className="chat-sending">{t('chat.sending')}</p>
      )}
    </li>
  ));
}
