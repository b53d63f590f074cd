import './moderation.css';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './moderation.de.json';
import en from './moderation.en.json';
import { useRef, useState } from 'react';
import { Flag, Trash2, Check, Settings2 } from 'lucide-react';
import type { ChatMessage, ChatSettings as Settings } from '@classroom/contracts';
import { Confirm } from '@classroom/page/Dialog';
import { MessageText } from './Message.js';
import { usePanel, useDraft, useClassField } from '../ui/panel-context.js';
import { useAction, FailureLine } from '../ui/action.js';
import { Menu, MenuHeading, MenuItem } from '../ui/Menu.js';

addTexts('moderation', { en, de });

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
    const call = () => (action === 'delete' ? api.deleteChatMessageInClass({ messageId: id }) : api.reportChatMessage({ messageId: id }));
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

const MODES = ['ALL', 'TEACHERS', 'OFF'] as const satisfies readonly Settings['mode'][];
const WAITS = [0, 10, 30, 60, 300];

/** The settings of the chat: for those who may change them, with a menu; for students, what they have to know. */
export function ChatSettings() {
  const { t } = useTranslation('moderation');
  const { store, permissions } = usePanel();
  const timeOf = useTimes();
  const chat = useClassField(store, 'room')?.chat;
  if (!chat) return null;
  const { mode, slowModeSeconds } = chat;
  if (permissions.manageParticipants) return <Control {...chat} />;
  const notices = [
    !permissions.chat ? t('notice.silent') : mode !== 'ALL' && t(`notice.${mode}`),
    permissions.chat && mode !== 'OFF' && slowModeSeconds > 0 && t('wait', { time: timeOf(slowModeSeconds) }),
  ].filter(Boolean);
  return (
    <div className="chat-settings" role="status" data-chat={mode}>
      {notices.length > 0 && <p>{notices.join(' ')}</p>}
    </div>
  );
}

function Control({ mode, slowModeSeconds }: Settings) {
  const { t } = useTranslation('moderation');
  const { api, store } = usePanel();
  const { runAction, failure } = useAction(store);
  const timeOf = useTimes();
  const option = (value: string | number, label: string, isChosen: boolean, chat: Partial<Settings>) => (
    <MenuItem
      key={value}
      isChosen={isChosen}
      icon={isChosen && <Check aria-hidden />}
      action={`chat-option-${value}`}
      onChoose={() => void runAction(() => api.changeRoomInClass({ settings: { chat } }))}
    >
      {label}
    </MenuItem>
  );
  const waits = WAITS.includes(slowModeSeconds) ? WAITS : [...WAITS, slowModeSeconds].sort((a, b) => a - b);
  return (
    <>
      <div className="chat-settings" data-chat={mode}>
        <p>
          {t(`shown.${mode}`)}
          {mode !== 'OFF' && slowModeSeconds > 0 && ` · ${t('shownWait', { time: timeOf(slowModeSeconds) })}`}
        </p>
        <Menu
          label={t('settings')}
          action="chat-settings"
          items={
            <>
              <MenuHeading>{t('who')}</MenuHeading>
              {MODES.map((it) => option(it, t(`mode.${it}`), it === mode, { mode: it }))}
              <MenuHeading>{t('slow')}</MenuHeading>
              {waits.map((it) => option(it, timeOf(it), it === slowModeSeconds, { slowModeSeconds: it }))}
            </>
          }
        >
          <Settings2 aria-hidden />
        </Menu>
      </div>
      <FailureLine code={failure?.code} />
    </>
  );
}

/** Formats seconds. */
function useTimes(): (seconds: number) => string {
  const { t } = useTranslation('moderation');
  return (seconds) => {
    if (seconds === 0) return t('noWait');
    return seconds % 60 === 0 ? t('minutes', { count: seconds / 60 }) : t('seconds', { count: seconds });
  };
}
