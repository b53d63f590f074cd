import {
  ChartColumn,
  GraduationCap,
  Hand,
  LayoutGrid,
  MessageSquare,
  Mic,
  MicOff,
  MonitorUp,
  MonitorX,
  RectangleHorizontal,
  SmilePlus,
  Users,
  Video,
  VideoOff,
  type LucideIcon,
} from 'lucide-react';
import type { Tab } from '../app/app-store.js';
import { useApp, useClass, usePeople, useClassroom } from '../app/context.js';
import { hasTab } from '../app/granted.js';
import { usePermissions } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import type { Action } from './action.js';
import { rankOf } from './drop-order.js';
import { useRecordingActions } from '../class-recording/use-recording-actions.js';

const canShare = typeof navigator !== 'undefined' && 'getDisplayMedia' in (navigator.mediaDevices ?? {});
const TABS: { tab: Tab; icon: LucideIcon; shortcut?: string }[] = [
  { tab: 'people', icon: Users, shortcut: 'p' },
  { tab: 'chat', icon: MessageSquare, shortcut: 'c' },
  { tab: 'polls', icon: ChartColumn, shortcut: 'o' },
  { tab: 'tutor', icon: GraduationCap },
];

/** The actions of this participant, by their permissions and those granted in class. */
export function useActions(): { own: Action[]; tabs: Action[] } {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const permissions = usePermissions();
  const devices = useApp((app) => app.devices);
  const isSharing = useApp((app) => app.isSharing);
  const layout = useApp((app) => app.layout);
  const tab = useApp((app) => app.tab);
  const session = useApp((app) => app.session);
  const showsVideoControls = session?.room.customization.showVideoControls ?? true;
  const uid = session?.participant.uid;
  const isScreenShown = usePeople(({ people }) => people.some(({ screen }) => screen));
  const isHandUp = useClass(({ hands }) => hands.some((hand) => hand.uid === uid));
  const { record } = useRecordingActions(permissions);
  const ranked = (id: string) => {
    const rank = rankOf(id, !!permissions.manageParticipants);
    return { id, ...(rank !== undefined && { rank }) };
  };

  const device = (id: Device, on: LucideIcon, off: LucideIcon, shortcut: string): Action => {
    const { isOn } = devices[id];
    return {
      id,
      icon: isOn ? on : off,
      label: t(`controls.${id}.${isOn ? 'on' : 'off'}`),
      otherLabel: t(`controls.${id}.${isOn ? 'off' : 'on'}`),
      shortcut,
      isOn,
      onPress: () => void classroom.devices.set(id, !isOn),
    };
  };
  const own: Action[] = [];
  if (showsVideoControls && permissions.microphone) own.push(device('microphone', Mic, MicOff, 'm'));
  if (showsVideoControls && permissions.camera) own.push(device('camera', Video, VideoOff, 'v'));
  if (showsVideoControls && permissions.shareScreen && canShare) {
    own.push({
      ...ranked('share'),
      icon: isSharing ? MonitorX : MonitorUp,
      label: t(isSharing ? 'controls.unshare' : 'controls.share'),
      otherLabel: t(isSharing ? 'controls.share' : 'controls.unshare'),
      shortcut: 's',
      isOn: isSharing,
      onPress: () => void classroom.setScreenShare(!isSharing),
    });
  }
  const hand: Action = {
    ...ranked('hand'),
    icon: Hand,
    label: t(isHandUp ? 'controls.lowerHand' : 'controls.raiseHand'),
    otherLabel: t(isHandUp ? 'controls.raiseHand' : 'controls.lowerHand'),
    shortcut: 'h',
    isOn: isHandUp,
    onPress: () => void classroom.actions.raiseHand(!isHandUp),
  };
  // For participants who cannot publish, raising a hand is the most important action.
  if (permissions.raiseHand || isHandUp) own[permissions.publish ? 'push' : 'unshift'](hand);
  if (permissions.react) {
    const reactions: Action = { ...ranked('reactions'), icon: SmilePlus, label: t('panels:reactions.react'), onPress: () => undefined };
    own.splice(own.indexOf(hand) + 1, 0, reactions);
  }
  if (showsVideoControls) {
    own.push({
      ...ranked('layout'),
      icon: layout === 'grid' ? RectangleHorizontal : LayoutGrid,
      label: t(layout === 'grid' ? 'controls.speakerView' : 'controls.gridView'),
      otherLabel: t(layout === 'grid' ? 'controls.gridView' : 'controls.speakerView'),
      shortcut: 'w',
      // A shared screen takes the stage in both views.
      isDisabled: isScreenShown,
      onPress: () => classroom.app.set({ layout: layout === 'grid' ? 'speaker' : 'grid', pinned: undefined }),
    });
  }
  if (record) own.push(record);
  const tabs = TABS.filter((one) => session && hasTab(session, one.tab)).map(({ tab: id, icon, shortcut }): Action => ({
    ...ranked(id),
    icon,
    label: t(`controls.${id}`),
    ...(shortcut && { shortcut }),
    isOn: tab === id,
    isPanel: true,
    onPress: () => classroom.app.set({ tab: tab === id ? undefined : id }),
  }));
  return { own, tabs };
}
