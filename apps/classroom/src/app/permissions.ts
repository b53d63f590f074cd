import type { Permissions } from '@classroom/contracts';
import { useApp, useClass } from './context.js';
import { grantedDevices } from './granted.js';

/** The participant's permissions; all are missing before there is a session. */
export interface EffectivePermissions extends Partial<Permissions> {
  /** Granted by role, or because this student was allowed to speak. */
  microphone: boolean;
  camera: boolean;
}

/** Decides which controls the page offers; the server checks every request itself. */
export function usePermissions(): EffectivePermissions {
  const session = useApp((app) => app.session);
  const uid = session?.participant.uid;
  const isSpeaker = useClass(({ speakers }) => speakers.some((speaker) => speaker.uid === uid));
  const granted = grantedDevices(session?.permissions ?? {});
  const isMuted = session?.consent?.isMuted ?? false;
  return {
    ...session?.permissions,
    microphone: granted.includes('microphone') || (isSpeaker && !isMuted),
    camera: granted.includes('camera'),
  };
}
