import { LayoutGrid, RectangleHorizontal } from 'lucide-react';
import { useApp, useClassroom, usePeople } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';

declare module '../app/app-store.js' {
  interface AppState {
    /** Whether a feature has taken the main place of the stage. */
    isMainTaken?: boolean;
  }
}

function useActions(): Action[] {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const layout = useApp((state) => state.layout);
  const showsControls = useApp(({ session }) => session?.room.customization.showVideoControls ?? true);
  const isScreenShown = usePeople(({ people }) => people.some(({ screen }) => screen));
  const isMainTaken = useApp((state) => state.isMainTaken) ?? false;
  if (!showsControls) return [];
  return [
    {
      id: 'layout',
      icon: layout === 'grid' ? RectangleHorizontal : LayoutGrid,
      label: t(layout === 'grid' ? 'controls.speakerView' : 'controls.gridView'),
      otherLabel: t(layout === 'grid' ? 'controls.gridView' : 'controls.speakerView'),
      shortcut: 'w',
      // A shared screen takes the stage in both views, and so does a board.
      isDisabled: isScreenShown || isMainTaken,
      onPress: () => app.set({ layout: layout === 'grid' ? 'speaker' : 'grid', pinned: undefined }),
    },
  ];
}

/** Who is large on the stage. */
export const stage: Feature = { useActions };
