/** A clock for the frames: a worker's timer goes on at its pace where the page's own may be slowed down. Its name is its rate. */
const frameMs = 1000 / Number(self.name);
const begin = performance.now();
let count = 0;

function tick(): void {
  postMessage(count);
  const passed = performance.now() - begin;
  // A timer may fire a little early, and late by several frames, which are then left out.
  count = Math.max(count + 1, Math.floor(passed / frameMs));
  setTimeout(tick, count * frameMs - passed);
}

tick();
