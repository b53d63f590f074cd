import { useCallback, useEffect } from 'react';
import { useOpenQuestions } from '../tutor/use-open-questions.js';
import { useApp, usePeople, useClassroom } from '../app/context.js';
import { hasTab } from '../app/granted.js';
import type { Tab } from '../app/app-store.js';
import { votersOf } from '../media/people.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';

const TABS = ['people', 'chat', 'polls', 'tutor'] as const;
/** Milliseconds in class after which the panel is loaded: entering does not wait for it, and it opens even if the connection is lost later. */
const LOAD_AFTER_MS = 5_000;

const loadPanel = async () => (await import('./SidePanel.js')).SidePanel;

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
  useEffect(() => {
    const timer = setTimeout(() => void loadPanel().catch(() => undefined), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!tab || !self || !session) return null;
  return (
    <LoadedPanel
      load={loadPanel}
      className="side-panel"
      props={{
        tab,
        tabs: TABS.filter((one) => hasTab(session, one)),
        onTab: turn,
        onClose: () => turn(undefined),
        people,
        questionCount: questions.length,
        self,
        permissions: session.permissions,
        voters: votersOf(people),
        store: classStore,
        api,
        now,
      }}
    />
  );
}
