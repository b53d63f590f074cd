import type { Permissions } from '@classroom/contracts';
import { useApp, useClass } from './context.js';

/** Before there is a session, none. */
export interface Rights extends Partial<Permissions> {
  /** By role, or because somebody let this student speak. */
  microphone: boolean;
  camera: boolean;
}

/** What the page offers; the server decides all the same. */
export function useRights(): Rights {
  const session = useApp((app) => app.session);
  const uid = session?.participant.uid;
  const isSpeaker = useClass(({ speakers }) => speakers.some((speaker) => speaker.uid === uid));
  const camera = session?.permissions.publish ?? false;
  return { ...session?.permissions, microphone: camera || isSpeaker, camera };
}
