import { GraduationCap } from 'lucide-react';
import { badgeOf, type Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { ClassQuestions, useOpenQuestions } from './open-questions.js';

declare module '../app/app-store.js' {
  interface Tabs {
    tutor: true;
  }
}

const useCount = () => useOpenQuestions().questions.length;

function useBadge() {
  const { t } = useTranslation();
  const count = useCount();
  return badgeOf(count, t('panels:tab.count.tutor', { count }));
}

/** A student's dialogue with the tutor, and the questions that it leaves to a teacher. */
export const tutor: Feature = {
  Part: ClassQuestions,
  tab: {
    name: 'tutor',
    icon: GraduationCap,
    isShown: ({ permissions }) => !!permissions.ai,
    useCount,
    isNews: true,
    useBadge,
    load: async () => (await import('./TutorPanel.js')).TutorPanel,
  },
};
