const TIMEOUT_MS = 8_000;

/** Whether the media server answers an HTTP request, with whatever status. */
export async function canReachServer(livekitUrl: string, signal: AbortSignal): Promise<boolean> {
  const address = livekitUrl.replace(/^ws/, 'http');
  try {
    await fetch(address, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return true;
  } catch {
    return signal.aborted;
  }
}
