import { lazy, Suspense, useState } from 'react';
import { ControlBar } from '../controls/ControlBar.js';
import { Shortcuts } from '../controls/Shortcuts.js';
import { useActions } from '../controls/use-actions.js';
import { useShortcuts } from '../controls/use-shortcuts.js';
import { PollCard, Reactions } from '../panels/index.js';
import type { RoomSettings } from '../panels/room/RoomSettings.js';
import './class.css';
import { ClassStage } from './ClassStage.js';
import { useApp, useClassroom } from '../app/context.js';
import { Header } from './Header.js';
import { ReconnectingNotice, Notices } from './Notices.js';
import { SidePanelHost } from './SidePanelHost.js';
import { SpeakOffer } from './SpeakOffer.js';

// Few participants see it.
const HostRequest = lazy(() => import('./HostRequest.js'));

/** The class: header, stage, side panel, control bar. It shows only the controls that the participant may use. */
export function ClassView() {
  const classroom = useClassroom();
  const { classStore, api } = classroom;
  const state = useApp((app) => app.state);
  const session = useApp((app) => app.session);
  const tab = useApp((app) => app.tab);
  const hasHostRequest = useApp((app) => app.hostRequest !== undefined);
  const [dialog, setDialog] = useState<'shortcuts' | typeof RoomSettings>();
  const { own, tabs } = useActions();
  const isIn = state === 'connected' || state === 'reconnecting';
  useShortcuts(isIn ? [...own, ...tabs] : [], () => setDialog('shortcuts'));
  const close = () => setDialog(undefined);
  // The dialog is loaded when it is opened, because few participants use it.
  const openSettings = async () => {
    const { RoomSettings: Settings } = await import('../panels/room/RoomSettings.js');
    setDialog(() => Settings);
  };
  const RoomSettingsDialog = typeof dialog === 'string' ? undefined : dialog;
  return (
    <div className="class" aria-busy={state !== 'connected'}>
      <Header />
      <div className="class-middle">
        <main className="class-main">
          <ClassStage />
          <div className="class-over">
            <ReconnectingNotice />
            {isIn && session && <PollCard store={classStore} api={api} permissions={session.permissions} isHidden={tab === 'polls'} />}
            <Reactions store={classStore} />
            <SpeakOffer />
            {hasHostRequest && (
              <Suspense>
                <HostRequest />
              </Suspense>
            )}
            <Notices />
          </div>
        </main>
        {isIn && <SidePanelHost />}
      </div>
      {isIn ? (
        <ControlBar
          own={own}
          tabs={tabs}
          onSettings={() => void classroom.runWithToast(openSettings, 'toast.actionFailed')}
          onShortcuts={() => setDialog('shortcuts')}
        />
      ) : (
        <div className="bar" aria-hidden />
      )}
      {dialog === 'shortcuts' && <Shortcuts actions={[...own, ...tabs]} onClose={close} />}
      {RoomSettingsDialog && <RoomSettingsDialog store={classStore} api={api} onClose={close} />}
    </div>
  );
}
