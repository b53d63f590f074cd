import { LoadedPanel } from '../panels/parts/LoadedPanel.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { ConsentHost } from './ConsentHost.js';
import { LiveRegion } from './LiveRegion.js';
import { OutcomeCard } from './OutcomeCard.js';

/** Screens of their own, which many classes do not have. */
const loadLobby = async () => (await import('../lobby/Lobby.js')).Lobby;

const loadOpening = async () => (await import('../opening/index.js')).OpeningCard;
const loadWaitingRoom = () => import('../waiting/index.js').then(({ WaitingRoom }) => WaitingRoom);

const loadSetup = async () => (await import('../setup/index.js')).Setup;
const loadNotifications = async () => (await import('../notifications/index.js')).NotificationsDialog;

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
