import { MessageSquare } from 'lucide-react';
import { useApp, useClassroom } from '../app/context.js';
import { badgeOf, type Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { Chat, hasChat, useUnread } from './chat.js';

declare module '../app/app-store.js' {
  interface Tabs {
    chat: true;
  }
}

function useCount() {
  const { classStore } = useClassroom();
  const isOpen = useApp(({ tab }) => tab === 'chat');
  return useUnread(classStore, isOpen);
}

function useBadge() {
  const { t } = useTranslation();
  const count = useCount();
  return badgeOf(count, t('panels:tab.count.chat', { count }));
}

/** Messages of the class. */
export const chat: Feature = {
  Part: Chat,
  tab: {
    name: 'chat',
    icon: MessageSquare,
    shortcut: 'c',
    isShown: hasChat,
    useCount,
    isNews: true,
    useBadge,
    load: async () => (await import('./ChatPanel.js')).ChatPanel,
    isPreloaded: true,
  },
};
