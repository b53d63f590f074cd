import type { RunningCapture } from './protocol.js';

/**
 * Lets an embedded recorder film this page; the code for it is loaded when it asks. LiveKit Egress films from outside and
 * never does.
 */
export function installCapture(): void {
  let running: Promise<RunningCapture> | undefined;
  window.startCapture = async (options) => {
    const sink = window.captureSink;
    if (!sink) throw new Error('nobody takes what is captured');
    running = import('./capture.js').then(({ startCapture }) => startCapture(document.body, options, sink));
    await running;
  };
  window.stopCapture = async () => {
    await (await running)?.stop();
  };
}
