import { Lobby } from '../lobby/Lobby.js';
import { ClassView } from './ClassView.js';
import { useApp } from '../app/context.js';
import { LiveRegion } from './LiveRegion.js';
import { OutcomeCard } from './OutcomeCard.js';

export function App() {
  const screen = useApp((app) => app.screen);
  return (
    <>
      {screen === 'lobby' ? <Lobby /> : screen === 'outcome' ? <OutcomeCard /> : <ClassView />}
      <LiveRegion />
    </>
  );
}
