import fs from 'node:fs';

/** Jiffies of the whole machine so far. */
function jiffies() {
  const fields = fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  const total = fields.slice(0, 8).reduce((sum, value) => sum + value, 0);
  return { total, idle: fields[3] + fields[4] };
}

/** Answers, each time it is called, the share of the CPUs that nobody used since the last time. */
export function watchIdle() {
  let before = jiffies();
  return () => {
    const now = jiffies();
    const share = (now.idle - before.idle) / Math.max(1, now.total - before.total);
    before = now;
    return share;
  };
}
