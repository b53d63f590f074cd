import type { Permissions } from '@classroom/contracts';
import { useApp, useClass } from './context.js';

export interface Rights extends Permissions {
  /** By role, or because somebody let this student speak. */
  microphone: boolean;
  camera: boolean;
}

const NONE: Permissions = {
  publish: false,
  shareScreen: false,
  manageParticipants: false,
  startRecording: false,
  stopRecording: false,
  endClass: false,
  changeRoom: false,
  managePolls: false,
};

/** What the page offers; the server decides all the same. */
export function useRights(): Rights {
  const session = useApp((app) => app.session);
  const permissions = session?.permissions ?? NONE;
  const uid = session?.participant.uid;
  const isSpeaker = useClass(({ speakers }) => speakers.some((speaker) => speaker.uid === uid));
  return { ...permissions, microphone: permissions.publish || isSpeaker, camera: permissions.publish };
}
