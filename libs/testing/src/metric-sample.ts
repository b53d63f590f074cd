import type { RunningStack } from './running-stack.js';

/** One sample of an app's /metrics, by its name and labels as written there; undefined if there is none. */
export async function metricSample(stack: RunningStack, app: string, name: string, ...labels: string[]): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${stack.ports.probes[app]}/metrics`)).text();
  const line = text
    .split('\n')
    .find((it) => (it.startsWith(`${name}{`) || it.startsWith(`${name} `)) && labels.every((label) => it.includes(label)));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}
