import { useEffect, useRef } from 'react';
import { useApp, useClass, useClassroom } from '../app/context.js';
import { notificationSetting } from '../app/notification-setting.js';
import { playNotes } from '../media/notes.js';

/** A third, lower than the fifth of a notification, in Hz. */
const SOUND = [523, 659];

/** Lets who wants it hear each hand that is raised from now on. */
export function useHandSound(): void {
  const { devices } = useClassroom();
  const self = useApp(({ session }) => session?.participant.uid);
  const hands = useClass((state) => state.hands);
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(hands.map(({ uid }) => uid));
    const isNew = before && hands.some(({ uid }) => uid !== self && !before.has(uid));
    // A browser that refuses the sound shows the notice.
    if (isNew && notificationSetting.get().hasHandSound) void playNotes(SOUND, devices.chosenSpeakerId()).catch(() => undefined);
  }, [hands, self, devices]);
}
