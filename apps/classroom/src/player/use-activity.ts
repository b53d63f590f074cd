import { useEffect, useState } from 'react';

const IDLE_MS = 3_000;
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** False once the user has been inactive for a while. */
export function useActivity(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onActivity = () => {
      setActive(true);
      clearTimeout(timer);
      // An open menu counts as activity.
      timer = setTimeout(() => (document.querySelector('[popover]:popover-open') ? onActivity() : setActive(false)), IDLE_MS);
    };
    onActivity();
    for (const type of ACTIVITY_EVENTS) document.addEventListener(type, onActivity);
    return () => {
      clearTimeout(timer);
      for (const type of ACTIVITY_EVENTS) document.removeEventListener(type, onActivity);
    };
  }, []);
  return isActive;
}
