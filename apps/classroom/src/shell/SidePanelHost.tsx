import { useCallback } from 'react';
import { SidePanel, type Tab } from './SidePanel.js';
import { useOpenQuestions } from '../tutor/questions/use-open-questions.js';
import { useApp, usePeople, useClassroom } from '../app/context.js';

/** Shows the side panel next to the stage if a tab is open. */
export function SidePanelHost() {
  const { app, classStore, api, sessions } = useClassroom();
  const tab = useApp((state) => state.tab);
  const permissions = useApp((state) => state.session?.permissions);
  const people = usePeople((state) => state.people);
  const self = usePeople((state) => state.self);
  const { questions } = useOpenQuestions();
  const now = useCallback(() => sessions.now(), [sessions]);
  const turn = useCallback((next: Tab | undefined) => app.set({ tab: next }), [app]);
  if (!tab || !self || !permissions) return null;
  return (
    <SidePanel
      tab={tab}
      onTab={turn}
      onClose={() => turn(undefined)}
      people={people}
      questionCount={questions.length}
      self={self}
      permissions={permissions}
      store={classStore}
      api={api}
      now={now}
    />
  );
}
