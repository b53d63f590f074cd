import { Film } from './film.js';
import { Mixer } from './mixer.js';
import type { CaptureMessage, CaptureOptions, RunningCapture } from './protocol.js';

/** Milliseconds between key frames: players can only seek to about these positions. TypeScript does not know this option yet. */
const KEY_FRAME_OPTIONS = { videoKeyFrameIntervalDuration: 4_000 };

type Sink = (message: CaptureMessage) => Promise<void>;

/** Captures the page and passes the film to `sink` in chunks. @throws Error if the browser does not support it */
export async function startCapture(root: HTMLElement, options: CaptureOptions, sink: Sink): Promise<RunningCapture> {
  const { width, height, fps, audioOnly, chunkMs, ...format } = options;
  const film = audioOnly ? undefined : new Film(root, { width, height, fps });
  const mixer = new Mixer(root);
  await mixer.start();
  if (!mixer.track) throw new Error('the browser gives no sound to record');
  const recorder = new MediaRecorder(new MediaStream([...(film ? [film.track] : []), mixer.track]), { ...format, ...KEY_FRAME_OPTIONS });
  film?.start();

  const queue = new ChunkQueue(sink);
  recorder.addEventListener('dataavailable', ({ data }) => queue.send(data, { frames: film?.frames ?? 0, skipped: film?.skipped ?? 0 }));
  recorder.addEventListener('error', (event) => void sink({ kind: 'failed', message: String((event as ErrorEvent).error) }));
  const started = new Promise<void>((resolve) => recorder.addEventListener('start', () => resolve(), { once: true }));
  // The film begins here. On a busy machine the event arrives seconds later.
  const at = Date.now();
  recorder.start(chunkMs);
  await started;
  await sink({ kind: 'started', at });

  return {
    stop: async () => {
      const stopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }));
      recorder.stop();
      await stopped;
      film?.stop();
      await mixer.stop();
      await queue.drained();
    },
  };
}

/** Sends the chunks one after the other, in order. */
class ChunkQueue {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly sink: Sink) {}

  send(chunk: Blob, counts: { frames: number; skipped: number }): void {
    if (chunk.size === 0) return;
    const before = this.last;
    this.last = (async () => {
      const data = await base64(chunk);
      await before;
      await this.sink({ kind: 'chunk', data, ...counts });
    })();
  }

  drained(): Promise<void> {
    return this.last;
  }
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^data:.*?;base64,/, '')));
    reader.addEventListener('error', () => reject(new Error('a chunk could not be read')));
    reader.readAsDataURL(blob);
  });
}
