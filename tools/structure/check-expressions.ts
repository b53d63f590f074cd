import { text } from 'node:stream/consumers';
import { check } from 'recheck';

// Reads [pattern, flags][] as JSON, writes a status for each. A program of its own: its checker is a process that keeps the parent running.
process.env.RECHECK_BACKEND = 'native';
const statuses: string[] = [];
for (const [pattern, flags] of JSON.parse(await text(process.stdin)) as [string, string][]) {
  statuses.push((await check(pattern, flags, { timeout: 20_000 })).status);
}
process.stdout.write(JSON.stringify(statuses), () => process.exit(0));
