import { LoadedPanel } from '../ui/LoadedPanel.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { ConsentHost } from './ConsentHost.js';
import { OutcomeCard } from './OutcomeCard.js';
import { useTranslation } from '../i18n/index.js';

/** Screens of their own, which many classes do not have. */
const loadLobby = async () => (await import('../lobby/Lobby.js')).Lobby;

const loadOpening = async () => (await import('../opening/OpeningCard.js')).OpeningCard;
const loadWaitingRoom = () => import('../waiting/WaitingRoom.js').then(({ WaitingRoom }) => WaitingRoom);

const loadSetup = async () => (await import('../devices/Setup.js')).Setup;
const loadNotifications = async () => (await import('../notifications/NotificationsDialog.js')).NotificationsDialog;

export function App() {
  const screen = useApp((app) => app.screen);
  const dialog = useApp((app) => app.dialog);
  return (
    <>
      {screen === 'lobby' ? (
        <LoadedPanel load={loadLobby} />
      ) : screen === 'opening' ? (
        <LoadedPanel load={loadOpening} />
      ) : screen === 'waiting' ? (
        <LoadedPanel load={loadWaitingRoom} />
      ) : screen === 'consent' ? (
        <main className="outcome" />
      ) : screen === 'outcome' ? (
        <OutcomeCard />
      ) : (
        <ClassView />
      )}
      <ConsentHost />
      {dialog === 'setup' && <LoadedPanel load={loadSetup} />}
      {dialog === 'notifications' && <LoadedPanel load={loadNotifications} />}
      <LiveRegion />
    </>
  );
}

/** Announces to screen readers what other users see. */
export function LiveRegion() {
  const { t } = useTranslation();
  const announcement = useApp((app) => app.announcement);
  return (
    <div className="unseen" role="status" aria-live="polite" data-live>
      {announcement && <span key={announcement.sequence}>{t(announcement.key, announcement.values ?? {})}</span>}
    </div>
  );
}
