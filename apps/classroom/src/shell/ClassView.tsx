import { useState } from 'react';
import { ControlBar } from '../controls/ControlBar.js';
import type { Shortcuts } from '../controls/Shortcuts.js';
import { useActions } from '../controls/use-actions.js';
import { useShortcuts } from '../controls/shortcuts.js';
import './panels.css';
import { PollCard } from '../polls/PollCard.js';
import { Reactions } from '../reactions/Reactions.js';
import type { ClassSettings } from '../room/ClassSettings.js';
import type { RoomSettings } from '../room/RoomSettings.js';
import './class.css';
import { ClassStage } from '../stage/ClassStage.js';
import { AttentionHost } from '../attention/AttentionHost.js';
import { useApp, useClassroom, usePeople } from '../app/context.js';
import { hasTab } from '../app/granted.js';
import { votersOf } from '../media/people.js';
import { Header } from './Header.js';
import { Notices, ReconnectingNotice, SharingNotice, SoundNotice } from './Notices.js';
import { SidePanelHost } from './SidePanelHost.js';
import { HostRequest } from '../embed/HostRequest.js';
import { SpeakOffer } from '../hands/SpeakOffer.js';

/** The class: header, stage, side panel, control bar. It shows only the controls that the participant may use. */
export function ClassView() {
  const classroom = useClassroom();
  const { classStore, api } = classroom;
  const state = useApp((app) => app.state);
  const session = useApp((app) => app.session);
  const tab = useApp((app) => app.tab);
  const voters = usePeople(({ people }) => votersOf(people));
  const [dialog, setDialog] = useState<
    { Shortcuts: typeof Shortcuts } | { ClassSettings: typeof ClassSettings } | { RoomSettings: typeof RoomSettings }
  >();
  const { own, tabs } = useActions();
  const isIn = state === 'connected' || state === 'reconnecting';
  const close = () => setDialog(undefined);
  // Dialogs are loaded when they are opened, because few participants use them.
  const open = (load: () => Promise<typeof dialog>) =>
    void classroom.actions.run(async () => setDialog(await load()), 'toast.actionFailed');
  const openShortcuts = () => open(() => import('../controls/Shortcuts.js'));
  useShortcuts(isIn ? [...own, ...tabs] : [], openShortcuts);
  return (
    <div className="class" aria-busy={state !== 'connected'}>
      <Header />
      <div className="class-middle">
        <main className="class-main">
          <ClassStage />
          <div className="class-over">
            <div className="class-over-top">
              <ReconnectingNotice />
              <SharingNotice />
              {isIn && session?.permissions.manageParticipants && <AttentionHost />}
              <Notices />
            </div>
            {isIn && session && hasTab(session, 'polls') && (
              <PollCard store={classStore} api={api} permissions={session.permissions} voters={voters} isHidden={tab === 'polls'} />
            )}
            <Reactions store={classStore} />
            <SpeakOffer />
            <HostRequest />
          </div>
          <SoundNotice />
        </main>
        {isIn && <SidePanelHost />}
      </div>
      {isIn ? (
        <ControlBar
          own={own}
          tabs={tabs}
          onClassSettings={() => open(() => import('../room/ClassSettings.js'))}
          onSettings={() => open(() => import('../room/RoomSettings.js'))}
          onShortcuts={openShortcuts}
        />
      ) : (
        <div className="bar" aria-hidden />
      )}
      {dialog && 'Shortcuts' in dialog && <dialog.Shortcuts actions={[...own, ...tabs]} onClose={close} />}
      {dialog && 'ClassSettings' in dialog && <dialog.ClassSettings store={classStore} api={api} onClose={close} />}
      {dialog && 'RoomSettings' in dialog && <dialog.RoomSettings store={classStore} api={api} onClose={close} />}
    </div>
  );
}
