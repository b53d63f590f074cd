import { Check, Settings2 } from 'lucide-react';
import type { ChatSettings as Settings } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import { Menu, MenuHeading, MenuItem } from '../../ui/Menu.js';
import { FailureLine } from '../parts/FailureLine.js';
import { usePanel } from '../parts/panel-context.js';
import { useAction } from '../parts/use-action.js';
import { useClassField } from '../parts/use-class-field.js';

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
