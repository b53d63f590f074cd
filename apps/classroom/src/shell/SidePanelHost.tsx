import { useCallback } from 'react';
import { SidePanel, TABS, type Tab } from './SidePanel.js';
import { useOpenQuestions } from '../tutor/questions/use-open-questions.js';
import { useApp, usePeople, useClassroom } from '../app/context.js';
import { hasTab } from '../app/granted.js';

/** Shows the side panel next to the stage if a tab is open. */
export function SidePanelHost() {
  const { app, classStore, api, sessions } = useClassroom();
  const tab = useApp((state) => state.tab);
  const session = useApp((state) => state.session);
  const people = usePeople((state) => state.people);
  const self = usePeople((state) => state.self);
  const { questions } = useOpenQuestions();
  const now = useCallback(() => sessions.now(), [sessions]);
  const turn = useCallback((next: Tab | undefined) => app.set({ tab: next }), [app]);
  if (!tab || !self || !session) return null;
  return (
    <SidePanel
      tab={tab}
      tabs={TABS.filter((one) => hasTab(session, one))}
      onTab={turn}
      onClose={() => turn(undefined)}
      people={people}
      questionCount={questions.length}
      self={self}
      permissions={session.permissions}
      store={classStore}
      api={api}
      now={now}
    />
  );
}
