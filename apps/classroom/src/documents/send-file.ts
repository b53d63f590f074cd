/** The requests of tus 1.0 that an upload needs. Each rejects with the status of a refusal, or 0 without an answer. */
export interface Requests {
  /** @returns how many bytes the service has */
  head(url: string, signal: AbortSignal): Promise<number>;
  /** @returns how many bytes the service has afterwards */
  patch(url: string, offset: number, bytes: Blob, onSent: (bytes: number) => void, signal: AbortSignal): Promise<number>;
}

/** The service refuses a request of an upload. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

interface Options {
  signal: AbortSignal;
  onSent(bytes: number): void;
  /** The connection is lost, and the upload waits to continue; or it continues. */
  onWaiting(isWaiting: boolean): void;
  requests?: Requests;
  /** What tells that the network is back. */
  network?: EventTarget;
}

const [MIN_WAIT_MS, MAX_WAIT_MS] = [1_000, 15_000];
/** Of refusals after which the service may take the rest: another request for the same upload, or a service that restarts. */
const PASSING = new Set([0, 409, 423, 429, 500, 502, 503, 504]);

/** Sends a file, and continues after a lost connection until the signal aborts. @throws Refused if the service does not take it */
export async function sendFile(url: string, file: Blob, options: Options): Promise<void> {
  const { signal, onSent, onWaiting, requests = browserRequests, network = window } = options;
  let [offset, failures] = [0, 0];
  while (offset < file.size) {
    try {
      if (failures > 0) offset = await requests.head(url, signal);
      onWaiting(false);
      onSent(offset);
      const from = offset;
      offset = await requests.patch(url, from, file.slice(from), (bytes) => onSent(from + bytes), signal);
      failures = offset > from ? 0 : failures + 1;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refused && !PASSING.has(error.status)) throw error;
      failures += 1;
      onWaiting(true);
    }
    if (failures > 0) await pause(Math.min(MIN_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS), signal, network);
  }
  onSent(file.size);
}

function pause(ms: number, signal: AbortSignal, network: EventTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      network.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    network.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

/** Of a single request, in milliseconds. */
const HEAD_TIMEOUT_MS = 15_000;

const browserRequests: Requests = {
  async head(url, signal) {
    const headers = { 'tus-resumable': '1.0.0' };
    const response = await fetch(url, { method: 'HEAD', headers, signal: AbortSignal.any([signal, AbortSignal.timeout(HEAD_TIMEOUT_MS)]) });
    if (!response.ok) throw new Refused(response.status);
    return Number(response.headers.get('upload-offset'));
  },

  // A fetch does not tell how much it has sent.
  patch: (url, offset, bytes, onSent, signal) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('PATCH', url);
      request.setRequestHeader('tus-resumable', '1.0.0');
      request.setRequestHeader('upload-offset', String(offset));
      request.setRequestHeader('content-type', 'application/offset+octet-stream');
      const abort = () => request.abort();
      signal.addEventListener('abort', abort);
      request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
      request.addEventListener('loadend', () => {
        signal.removeEventListener('abort', abort);
        if (request.status >= 200 && request.status < 300) resolve(Number(request.getResponseHeader('upload-offset')));
        else reject(new Refused(request.status));
      });
      request.send(bytes);
    }),
};
