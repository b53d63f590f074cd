import { useLoaded } from '../panels/parts/use-loaded.js';

const loadAttention = async () => (await import('../attention/index.js')).Attention;

/** What waits for who manages others, loaded for them alone. Without it, the numbers on the tabs remain. */
export function AttentionHost() {
  const { part: Attention } = useLoaded(loadAttention);
  return Attention ? <Attention /> : null;
}
