// npm run bench -- limits [--quick] [--only=rush,slow,large] [--rounds=N]
// Measures how an organization is affected by another one that overloads the API, with two of our gateways and with a bare one, in one run.
// It asserts no times. It fails if a request of the neighbour fails, or if the requests that our gateways admit in a rush differ from the
// quota by over 5 %.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Measured } from './neighbour.ts';
import { LimitsStack } from './stack.ts';
import type { ChildProcess } from 'node:child_process';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' }, rounds: { type: 'string' } } });
const KINDS = (flags.only ?? 'rush,slow,large').split(',');
const ROUNDS = Number(flags.rounds ?? (flags.quick ? 1 : 3));
/** Duration of a rush: just below the window of the quota, so that no second window begins. */
const SECONDS = flags.quick ? 10 : 58;
const WARM_UP_SECONDS = flags.quick ? 2 : 10;
const QUOTA = 600;
const TIMES_QUOTA = 10;

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

type Side = 'ours' | 'bare';

const SIDES = ['ours', 'bare'] as const;

/** In milliseconds. */
const quantile = (times: number[], share: number) => [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;

async function request(child: ChildProcess, work: object): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(work);
  return (await answer)[0];
}

async function neighbourOf({ neighbour, neighbours, urls }: LimitsStack, side: Side, seconds: number): Promise<number[]> {
  const answer = await request(neighbour, { urls: urls[side], organizations: neighbours, seconds });
  const { times, failed } = answer as Measured;
  if (failed > 0) throw new Error(`${failed} of the neighbour's ${times.length} requests were not answered 200`);
  return times;
}

async function round(bench: LimitsStack, side: Side, kind: string): Promise<{ quiet: number[]; disturbed: number[] }> {
  const quiet = await neighbourOf(bench, side, SECONDS);
  const organizationId = await bench.school();
  const offending = request(bench.offender, {
    kind,
    urls: bench.urls[side],
    organizationId,
    seconds: SECONDS,
    perSecond: (QUOTA * TIMES_QUOTA) / 60,
  });
  const disturbed = await neighbourOf(bench, side, SECONDS);
  const outcomes = (await offending) as Record<string, number>;
  say(
    `${kind}, ${side}: p99 ${quantile(quiet, 0.99).toFixed(1)} ms, then ${quantile(disturbed, 0.99).toFixed(1)} ms; the offender got ${JSON.stringify(outcomes)}`,
  );
  const isOff = side === 'ours' && kind === 'rush' && Math.abs(outcomes[200] - QUOTA) > QUOTA * 0.05;
  if (isOff) throw new Error(`${outcomes[200]} were let through of a quota of ${QUOTA}`);
  return { quiet, disturbed };
}

/** Runs all rounds of one offence. @returns one line of the result */
async function compare(bench: LimitsStack, side: Side, kind: string) {
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await round(bench, side, kind));
  const [quiet, disturbed] = [rounds.flatMap((it) => it.quiet), rounds.flatMap((it) => it.disturbed)];
  const cells = [0.5, 0.99].map((share) => {
    const [before, meanwhile] = [quantile(quiet, share), quantile(disturbed, share)];
    return `p${share * 100} ${before.toFixed(1)} → ${meanwhile.toFixed(1)} ms (× ${(meanwhile / before).toFixed(2)})`;
  });
  return `  ${kind.padEnd(6)} ${side}  ${cells.join('   ')}   ${disturbed.length} requests`;
}

async function main() {
  const bench = new LimitsStack(QUOTA);
  const stop = () => bench.stop().then(() => process.exit(130));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop());
  const lines: string[] = [];
  try {
    say('starting the stack');
    await bench.start();
    for (const side of SIDES) await neighbourOf(bench, side, WARM_UP_SECONDS);
    for (const kind of KINDS) {
      for (const side of SIDES) lines.push(await compare(bench, side, kind));
    }
  } catch (error) {
    console.error(`The benchmark failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await bench.stop();
    // Prints the results that were measured before a failure, too.
    if (lines.length > 0) console.log(`\nthe neighbour, before and meanwhile (aim: p99 at most × 1.2)\n${lines.join('\n')}`);
    say('ended');
  }
}

void main();
