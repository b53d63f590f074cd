import fs from 'node:fs';

/** CPU time of the whole machine so far, in jiffies. */
function jiffies() {
  const fields = fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const total = fields.slice(0, 8).reduce((sum, value) => sum + value, 0);
  return { total, idle: fields[3] + fields[4] };
}

/** Returns a function that returns the idle share of all CPUs since its last call. */
export function watchIdle() {
  let before = jiffies();
  return () => {
    const now = jiffies();
    const share = (now.idle - before.idle) / Math.max(1, now.total - before.total);
    before = now;
    return share;
  };
}
