import { Lobby } from '../lobby/Lobby.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { ConsentHost } from './ConsentHost.js';
import { LiveRegion } from './LiveRegion.js';
import { OutcomeCard } from './OutcomeCard.js';

export function App() {
  const screen = useApp((app) => app.screen);
  return (
    <>
      {screen === 'lobby' ? (
        <Lobby />
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
