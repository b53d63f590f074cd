import { useApp } from '../app/context.js';
import type { Feature } from '../app/feature.js';
import { useLoaded } from '../ui/LoadedPanel.js';

const load = async () => (await import('./Attention.js')).Attention;

function Notice() {
  const manages = useApp(({ session }) => !!session?.permissions.manageParticipants);
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  return isIn && manages ? <Loaded /> : null;
}

/** Without it, the numbers on the tabs remain. */
function Loaded() {
  const { part: Attention } = useLoaded(load);
  return Attention ? <Attention /> : null;
}

/** What waits for who manages others, loaded for them alone. */
export const attention: Feature = { Notice };
