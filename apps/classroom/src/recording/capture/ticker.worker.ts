/**
 * The clock for the frames. A worker's timer keeps its rate when the browser throttles the page's timers. The worker's name is
 * the rate per second.
 */
const frameMs = 1000 / Number(self.name);
const begin = performance.now();
let count = 0;

function tick(): void {
  postMessage(count);
  const elapsed = performance.now() - begin;
  // A timer may fire slightly early, or several frames late. Frames that are late by then are skipped.
  count = Math.max(count + 1, Math.floor(elapsed / frameMs));
  setTimeout(tick, count * frameMs - elapsed);
}

tick();
