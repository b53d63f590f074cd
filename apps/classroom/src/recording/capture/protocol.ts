/** Event of the document: a canvas looks different now. No observer would notice. */
export const DRAWN = 'drawn';

/** The interface between the recorder and the page. The recorder declares its side in its own file. */
export interface CaptureOptions {
  width: number;
  height: number;
  fps: number;
  /** Captures the sound alone. */
  audioOnly: boolean;
  mimeType: string;
  videoBitsPerSecond: number;
  audioBitsPerSecond: number;
  /** Length of a chunk in milliseconds: at most this much is lost in a crash. */
  chunkMs: number;
}

export type CaptureMessage =
  /** Time of the first frame, in milliseconds since 1970. */
  | { kind: 'started'; at: number }
  /** The next part of the file, in base64. */
  | { kind: 'chunk'; data: string; frames: number; skipped: number }
  | { kind: 'failed'; message: string };

export interface RunningCapture {
  /** Resolves when the last chunk has been handed over. */
  stop(): Promise<void>;
}

declare global {
  interface Window {
    /** Set by the recorder: takes a message and resolves once it is stored. */
    captureSink?: (message: CaptureMessage) => Promise<void>;
    /** Set by this page: starts capturing. */
    startCapture?: (options: CaptureOptions) => Promise<void>;
    stopCapture?: () => Promise<void>;
  }
}
