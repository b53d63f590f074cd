import { useRef, useState } from 'react';
import { Flag, Trash2 } from 'lucide-react';
import type { ChatMessage } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import { Confirm } from '@classroom/page/Dialog';
import { MessageText } from '../chat/MessageText.js';
import { usePanel } from '../parts/panel-context.js';
import { useAction } from '../parts/use-action.js';
import { useDraft } from '../parts/use-draft.js';

/** Without hover, a touch gives a message the focus, which shows its button. */
const isTouched = matchMedia('(hover: none)').matches;

/** A message or what remains of it, and the button that deletes it for those who may, or reports it for all others. */
export function ModeratedMessage({ message }: { message: ChatMessage }) {
  const { t } = useTranslation('moderation');
  if (message.deletedAt) return <p className="chat-text chat-deleted">{t('deleted')}</p>;
  return <PresentMessage message={message} />;
}

function PresentMessage({ message: { id, uid, name, text, audience, reports } }: { message: ChatMessage }) {
  const { t } = useTranslation('moderation');
  const { t: panels } = useTranslation('panels');
  const { api, store, self, permissions } = usePanel();
  const [isAsking, setAsking] = useState(false);
  const [isReported, setReported] = useDraft(store, `reported ${id}`, false);
  const { runAction, failure } = useAction(store);
  const line = useRef<HTMLDivElement>(null);
  const action = permissions.manageParticipants ? 'delete' : uid === self.uid || isReported ? undefined : 'report';
  const run = async () => {
    const log = line.current?.closest<HTMLElement>('.chat-scroll');
    const call = () => (action === 'delete' ? api.deleteChatMessage({ messageId: id }) : api.reportChatMessage({ messageId: id }));
    if (!(await runAction(call))) return;
    if (action === 'report') setReported(true);
    // The button disappears, and with it the focus.
    log?.focus();
  };
  const Icon = action === 'delete' ? Trash2 : Flag;
  return (
    <div className="chat-line" ref={line} tabIndex={isTouched ? -1 : undefined} data-message={id}>
      <div className="chat-line-words">
        <MessageText text={text} />
        {(audience || reports || isReported) && (
          <p className="chat-tags">
            {audience && <span>{t('toTeachers')}</span>}
            {!!reports && <span className="is-report">{t('reports', { count: reports })}</span>}
            {isReported && <span>{t('reported')}</span>}
          </p>
        )}
        {failure && (
          <p className="failure-line" role="alert">
            {panels([`error.${failure.code}`, 'error.OTHER'])}
          </p>
        )}
      </div>
      {action && (
        <button
          type="button"
          className="icon-button chat-action"
          aria-label={t(action, { name })}
          title={t(action, { name })}
          data-action={`${action}-message`}
          onClick={() => setAsking(true)}
        >
          <Icon aria-hidden />
        </button>
      )}
      {isAsking && action && (
        <Confirm
          title={t(action === 'delete' ? 'confirmDelete.title' : 'confirmReport.title')}
          text={t(action === 'delete' ? 'confirmDelete.text' : 'confirmReport.text')}
          confirmLabel={t(action === 'delete' ? 'confirmDelete.yes' : 'confirmReport.yes')}
          cancelLabel={panels('cancel')}
          action={`confirm-${action}-message`}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
