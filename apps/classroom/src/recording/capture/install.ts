import type { RunningCapture } from './protocol.js';

/**
 * Installs the functions with which our recorder captures this page; the capture code is loaded on the first call. LiveKit
 * Egress captures from outside and does not call them.
 */
export function installCapture(): void {
  let running: Promise<RunningCapture> | undefined;
  window.startCapture = async (options) => {
    const sink = window.captureSink;
    if (!sink) throw new Error('no sink takes the captured media');
    running = import('./capture.js').then(({ startCapture }) => startCapture(document.body, options, sink));
    await running;
  };
  window.stopCapture = async () => {
    await (await running)?.stop();
  };
}
