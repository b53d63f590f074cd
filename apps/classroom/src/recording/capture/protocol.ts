/** What the recorder asks of the page, and what the page gives it. The recorder has the other half of it in a file of its own. */
export interface CaptureOptions {
  width: number;
  height: number;
  fps: number;
  mimeType: string;
  videoBitsPerSecond: number;
  audioBitsPerSecond: number;
  /** How much film is in one chunk, in milliseconds: what a crash may cost. */
  chunkMs: number;
}

export type CaptureMessage =
  /** The first frame, in milliseconds since 1970. */
  | { kind: 'started'; at: number }
  /** The next piece of the file, in base64. */
  | { kind: 'chunk'; data: string; frames: number; skipped: number }
  | { kind: 'failed'; message: string };

export interface RunningCapture {
  /** Resolves when the last chunk was handed over. */
  stop(): Promise<void>;
}

declare global {
  interface Window {
    /** The recorder's: takes what was captured, resolves once it has it. */
    captureSink?: (message: CaptureMessage) => Promise<void>;
    /** Ours: begins to capture the page. */
    startCapture?: (options: CaptureOptions) => Promise<void>;
    stopCapture?: () => Promise<void>;
  }
}
