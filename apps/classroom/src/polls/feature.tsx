import { ChartColumn } from 'lucide-react';
import { useApp, useClass, useClassroom, usePeople } from '../app/context.js';
import type { Feature } from '../app/feature.js';
import { votersOf } from '../media/people.js';
import { PollCard } from './PollView.js';
import { hasPolls, PollNews } from './polls.js';

declare module '../app/app-store.js' {
  interface Tabs {
    polls: true;
  }
}

function OverStage() {
  const { api, classStore } = useClassroom();
  const session = useApp((app) => app.session);
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  const isListOpen = useApp(({ tab }) => tab === 'polls');
  const voters = usePeople(({ people }) => votersOf(people));
  if (!isIn || !session || !hasPolls(session)) return null;
  return <PollCard store={classStore} api={api} permissions={session.permissions} voters={voters} isHidden={isListOpen} />;
}

/** Questions that the class answers by a vote. */
export const polls: Feature = {
  Part: PollNews,
  OverStage,
  tab: {
    name: 'polls',
    icon: ChartColumn,
    shortcut: 'o',
    isShown: hasPolls,
    useCount: () => useClass(({ polls: all }) => all.filter(({ status }) => status === 'open').length),
    isNews: true,
    load: async () => (await import('./PollsPanel.js')).PollsPanel,
  },
};
