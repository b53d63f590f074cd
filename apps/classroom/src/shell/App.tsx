import { LoadedPanel } from '../panels/parts/LoadedPanel.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { ConsentHost } from './ConsentHost.js';
import { LiveRegion } from './LiveRegion.js';
import { OutcomeCard } from './OutcomeCard.js';

/** A screen of its own, which many classes do not have. */
const loadLobby = async () => (await import('../lobby/Lobby.js')).Lobby;

export function App() {
  const screen = useApp((app) => app.screen);
  return (
    <>
      {screen === 'lobby' ? (
        <LoadedPanel load={loadLobby} />
      ) : screen === 'consent' ? (
        <main className="outcome" />
      ) : screen === 'outcome' ? (
        <OutcomeCard />
      ) : (
        <ClassView />
      )}
      <ConsentHost />
      <LiveRegion />
    </>
  );
}
