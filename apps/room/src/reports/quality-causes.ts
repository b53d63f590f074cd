import { largestOf, smallestOf, type QualityCause, type QualityMinute, type Verdict } from '@classroom/contracts';
import { MINUTE_MS } from './to-minute-row.js';

/** Seconds after which a join is slow. */
const SLOW_JOIN_S = 5;
const MOST_CAUSES = 50;
/** Part of the minutes that are bad in a poor class. */
const POOR = 0.2;

interface Symptom {
  code: QualityCause['code'];
  /** How bad a minute was; 0 if it was not measured. */
  of(minute: QualityMinute): number;
  /** From which value on people notice it, and from which the minute is bad. */
  noticed: number;
  bad: number;
  /** Of several minutes the worst counts, or their sum. */
  total: 'worst' | 'sum';
  inWords(value: number): string;
}

const SYMPTOMS: readonly Symptom[] = [
  {
    code: 'RECONNECTED',
    of: ({ reconnections }) => reconnections,
    noticed: 1,
    bad: 2,
    total: 'sum',
    inWords: (times) => `Connection lost ${times === 1 ? 'once' : `${times} times`}`,
  },
  {
    code: 'LOSS_RECEIVED',
    of: ({ lossPercent }) => lossPercent ?? 0,
    noticed: 3,
    bad: 6,
    total: 'worst',
    inWords: (percent) => `High packet loss (${percent} %)`,
  },
  {
    code: 'LOSS_SENT',
    of: ({ sentLossPercent }) => sentLossPercent ?? 0,
    noticed: 3,
    bad: 6,
    total: 'worst',
    inWords: (percent) => `High loss of sent packets (${percent} %)`,
  },
  {
    code: 'ROUND_TRIP',
    of: ({ roundTripMs }) => roundTripMs ?? 0,
    noticed: 300,
    bad: 600,
    total: 'worst',
    inWords: (ms) => `Long way to the media server (${ms} ms there and back)`,
  },
  {
    code: 'JITTER',
    of: ({ bufferMs }) => bufferMs ?? 0,
    noticed: 200,
    bad: 500,
    total: 'worst',
    inWords: (ms) => `Uneven arrival of media (waited ${ms} ms)`,
  },
  {
    code: 'FREEZES',
    of: ({ frozenSeconds }) => frozenSeconds,
    noticed: 3,
    bad: 10,
    total: 'sum',
    inWords: (seconds) => `Video stood still for ${Math.round(seconds)} s`,
  },
];

const startOf = ({ startedAt }: QualityMinute) => Date.parse(startedAt);
const endOf = (minute: QualityMinute) => startOf(minute) + Math.max(minute.measuredSeconds, 1) * 1000;

/** Minutes after each other, at most one of which is missing in between. */
function runsOf(minutes: readonly QualityMinute[]): QualityMinute[][] {
  const runs: QualityMinute[][] = [];
  for (const minute of minutes) {
    const before = runs.at(-1)?.at(-1);
    if (before && startOf(minute) - startOf(before) <= 2 * MINUTE_MS) runs.at(-1)?.push(minute);
    else runs.push([minute]);
  }
  return runs;
}

const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

function causeOf({ code, of, total, inWords }: Symptom, run: readonly QualityMinute[]): QualityCause {
  const values = run.map(of);
  const value = total === 'sum' ? values.reduce((sum, one) => sum + one, 0) : largestOf(values);
  const [from, until] = [smallestOf(run.map(startOf)), largestOf(run.map(endOf))];
  const when = clock(from) === clock(until) ? `at ${clock(from)}` : `from ${clock(from)} to ${clock(until)}`;
  return { code, text: `${inWords(value)} ${when}`, from: new Date(from).toISOString(), until: new Date(until).toISOString() };
}

/**
 * What was wrong, in the order of time, and how bad it was.
 * @param minutes oldest first
 * @param joinSeconds of the first join; null if not measured
 */
export function explain(
  minutes: readonly QualityMinute[],
  joinSeconds: number | null,
): { verdict: Verdict | null; causes: QualityCause[] } {
  const [first] = minutes;
  if (!first) return { verdict: null, causes: [] };
  const joinedAt = startOf(first);
  const slow: QualityCause[] =
    joinSeconds !== null && joinSeconds > SLOW_JOIN_S
      ? [
          {
            code: 'SLOW_JOIN',
            text: `Joined after ${Math.round(joinSeconds)} s`,
            from: new Date(joinedAt - joinSeconds * 1000).toISOString(),
            until: new Date(joinedAt).toISOString(),
          },
        ]
      : [];
  const found = SYMPTOMS.flatMap((symptom) =>
    runsOf(minutes.filter((minute) => symptom.of(minute) >= symptom.noticed)).map((run) => causeOf(symptom, run)),
  );
  const causes = [...slow, ...found].sort((a, b) => a.from.localeCompare(b.from)).slice(0, MOST_CAUSES);
  const bad = minutes.filter((minute) => SYMPTOMS.some(({ of, bad: limit }) => of(minute) >= limit)).length;
  return { verdict: bad / minutes.length >= POOR ? 'poor' : causes.length > 0 ? 'fair' : 'good', causes };
}
