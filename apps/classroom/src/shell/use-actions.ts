import { useApp, useClassroom, usePermissions } from '../app/context.js';
import { useFeatures, type Action } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { rankOf } from './drop-order.js';

/** From left to right; others follow. */
const ORDER = ['microphone', 'camera', 'share', 'board', 'hand', 'reactions', 'layout', 'record'];
/** For participants who cannot publish, raising a hand is the most important action. */
const FIRST = ['hand', 'reactions'];

const placeIn = (order: readonly string[], id: string) => (order.includes(id) ? order.indexOf(id) : order.length);

/** The actions of this participant, by their permissions and those granted in class. */
export function useActions(): { own: Action[]; tabs: Action[] } {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const features = useFeatures();
  const { manageParticipants, publish } = usePermissions();
  const session = useApp((state) => state.session);
  const open = useApp(({ tab }) => tab);
  const ranked = (action: Action): Action => ({ ...action, rank: action.stays ? undefined : rankOf(action.id, !!manageParticipants) });

  const all = features.flatMap(({ useActions: useOwn }) => useOwn?.() ?? []);
  const isHandLast = publish && all.some(({ id }) => id === 'hand');
  const order = isHandLast ? ORDER : [...FIRST, ...ORDER.filter((id) => !FIRST.includes(id))];
  const own = all.map(ranked).sort((a, b) => placeIn(order, a.id) - placeIn(order, b.id));
  const tabs = features.flatMap(({ tab }): Action[] => {
    if (!tab) return [];
    const { name, icon, shortcut, isShown, useBadge } = tab;
    const badge = useBadge?.();
    if (!session || !isShown(session)) return [];
    const isOn = open === name;
    const onPress = () => app.set({ tab: isOn ? undefined : name });
    return [ranked({ id: name, icon, label: t(`controls.${name}`), ...(shortcut && { shortcut }), isOn, isPanel: true, badge, onPress })];
  });
  return { own, tabs };
}
