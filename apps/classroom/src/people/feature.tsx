import { Hand, Users } from 'lucide-react';
import { useClass, usePeople, usePermissions } from '../app/context.js';
import { badgeOf, type Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import type { ClassroomSession } from '../session/session.js';
import { Attendance } from './roster.js';

declare module '../app/app-store.js' {
  interface Tabs {
    people: true;
  }
}

export const hasPeople = ({ ui = {} }: ClassroomSession): boolean => !ui.hideParticipants;

/** A raised hand shows as one, because a teacher cannot see the students. */
function useBadge() {
  const { t } = useTranslation();
  const { manageParticipants } = usePermissions();
  const [hands, waiting] = [useClass((state) => state.hands.length), useClass((state) => state.waiting.length)];
  if (!manageParticipants) return undefined;
  const texts = [hands > 0 && t('controls.badge.hands', { count: hands }), waiting > 0 && t('controls.badge.waiting', { count: waiting })];
  return badgeOf(hands + waiting, texts.filter(Boolean).join(', '), hands > 0 && <Hand key="hand" aria-hidden />);
}

/** Who is in class, and who joins and leaves. */
export const people: Feature = {
  Part: Attendance,
  tab: {
    name: 'people',
    icon: Users,
    shortcut: 'p',
    isShown: hasPeople,
    useCount: () => usePeople((state) => state.people.length),
    isNews: false,
    useBadge,
    load: async () => (await import('./PeoplePanel.js')).PeoplePanel,
    isPreloaded: true,
  },
};
