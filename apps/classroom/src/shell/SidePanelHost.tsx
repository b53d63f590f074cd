import { useCallback, useEffect } from 'react';
import { useApp, usePeople, useClassroom } from '../app/context.js';
import { useFeatures, type Feature } from '../app/feature.js';
import type { Tab } from '../app/app-store.js';
import { votersOf } from '../media/people.js';
import { LoadedPanel, preload } from '../ui/LoadedPanel.js';

/** Milliseconds in class after which the panel is loaded: entering does not wait for it, and it opens even if the connection is lost later. */
const LOAD_AFTER_MS = 5_000;

const loaders = new WeakMap<readonly Feature[], () => Promise<(typeof import('./SidePanel.js'))['SidePanel']>>();

/** @returns the same function each time: the panel with the tabs that are loaded with it */
function loaderOf(features: readonly Feature[]) {
  const load =
    loaders.get(features) ??
    (async () => {
      const tabs = features.flatMap(({ tab }) => (tab?.isPreloaded ? preload(tab.load) : []));
      const [{ SidePanel }] = await Promise.all([import('./SidePanel.js'), ...tabs]);
      return SidePanel;
    });
  loaders.set(features, load);
  return load;
}

/** Shows the side panel next to the stage if a tab is open. */
export function SidePanelHost() {
  const { app, classStore, api, sessions } = useClassroom();
  const features = useFeatures();
  const load = loaderOf(features);
  const open = useApp((state) => state.tab);
  const session = useApp((state) => state.session);
  const people = usePeople((state) => state.people);
  const self = usePeople((state) => state.self);
  const now = useCallback(() => sessions.now(), [sessions]);
  const turn = useCallback((next: Tab | undefined) => app.set({ tab: next }), [app]);
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
  const tabs = session ? features.flatMap(({ tab }) => (tab?.isShown(session) ? tab.name : [])) : [];
  const isLost = open !== undefined && session !== undefined && !tabs.includes(open);
  // The participant no longer has the tab.
  useEffect(() => {
    if (isLost) turn(undefined);
  }, [isLost, turn]);
  if (!open || isLost || !self || !session) return null;
  return (
    <LoadedPanel
      load={load}
      className="side-panel"
      props={{
        tab: open,
        tabs,
        onTab: turn,
        onClose: () => turn(undefined),
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
