import { useEffect } from 'react';
import { useApp, useClassroom } from '../app/context.js';
import { useFeatures } from '../app/feature.js';
import { ControlBar } from './ControlBar.js';
import { useShortcuts } from './shortcuts.js';
import { useActions } from './use-actions.js';
import { ClassStage } from '../stage/ClassStage.js';
import { Header, Notices, ReconnectingNotice, SoundNotice } from './Header.js';
import { SidePanelHost } from './SidePanelHost.js';

const loadShortcuts = async () => (await import('./Shortcuts.js')).Shortcuts;

/** The class: header, stage, side panel, control bar. It shows only the controls that the participant may use. */
export function ClassView() {
  const features = useFeatures();
  const { app, openDialog } = useClassroom();
  const state = useApp((one) => one.state);
  const Opened = useApp(({ opened }) => opened);
  const { own, tabs } = useActions();
  const isIn = state === 'connected' || state === 'reconnecting';
  const close = () => app.set({ opened: undefined });
  const openShortcuts = () => openDialog(loadShortcuts);
  useShortcuts(isIn ? [...own, ...tabs] : [], openShortcuts);
  useEffect(() => () => app.set({ opened: undefined }), [app]);
  return (
    <div className="class" aria-busy={state !== 'connected'}>
      <Header />
      <div className="class-middle">
        <main className="class-main">
          <ClassStage />
          <div className="class-over">
            <div className="class-over-top">
              <ReconnectingNotice />
              {features.map(({ Notice }, index) => Notice && <Notice key={index} />)}
              <Notices />
            </div>
            {features.map(({ OverStage }, index) => OverStage && <OverStage key={index} />)}
          </div>
          <SoundNotice />
        </main>
        {isIn && <SidePanelHost />}
      </div>
      {isIn ? <ControlBar own={own} tabs={tabs} onShortcuts={openShortcuts} /> : <div className="bar" aria-hidden />}
      {Opened && <Opened onClose={close} />}
    </div>
  );
}
