import { useEffect, useState } from 'react';

const STILL_MS = 3_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** False once the user has been inactive for a while. */
export function useActivity(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stir = () => {
      setActive(true);
      clearTimeout(timer);
      // An open menu counts as activity.
      timer = setTimeout(() => (document.querySelector('[popover]:popover-open') ? stir() : setActive(false)), STILL_MS);
    };
    stir();
    for (const sign of SIGNS) document.addEventListener(sign, stir);
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) document.removeEventListener(sign, stir);
    };
  }, []);
  return isActive;
}
