import type * as LiveKit from './livekit-parts.js';

/**
 * LiveKit's client. It is half of the page's code, so it loads while the lobby is already there. What runs in a connection, or has a track, may
 * use it; everything else awaits `loadLiveKit`.
 */
export let livekit: typeof LiveKit;

let loading: Promise<typeof LiveKit> | undefined;

/** @throws Error if the file does not arrive; the next call requests it again */
export async function loadLiveKit(): Promise<typeof LiveKit> {
  loading ??= import('./livekit-parts.js').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return (livekit = await loading);
}
