import { useLoaded } from '../ui/LoadedPanel.js';

const loadAttention = async () => (await import('./Attention.js')).Attention;

/** What waits for who manages others, loaded for them alone. Without it, the numbers on the tabs remain. */
export function AttentionHost() {
  const { part: Attention } = useLoaded(loadAttention);
  return Attention ? <Attention /> : null;
}
