import { compareVersions } from '../stack/context.ts';
import type { Contracts, Parts } from './list-contracts.ts';
import type { Release } from './released.ts';
import { breakingChanges, type Change, type Direction, type Schema } from './schema-changes.ts';

type Rule = (old: Parts, now: Parts) => Change[];

const schemaOf = (parts: Parts, part: string) => (parts[part] ?? {}) as Schema;
const compared =
  (part: string, direction: Direction): Rule =>
  (old, now) =>
    old[part] ? breakingChanges(schemaOf(old, part), schemaOf(now, part), direction, part) : [];
const accepts = (part: string) => compared(part, 'accepts');
const sends = (part: string) => compared(part, 'sends');

const fact =
  (part: string, what: string, isBroken: (old: unknown, now: unknown) => boolean = (old, now) => old !== now): Rule =>
  (old, now) =>
    isBroken(old[part], now[part]) ? [{ path: part, what, was: old[part], is: now[part] }] : [];

/** Events and jobs that the old release wrote are still stored when the new release reads them. */
const readsStored: Rule = (old, now) =>
  breakingChanges(schemaOf(old, 'data'), schemaOf(now, 'readAs'), 'accepts', 'data').filter(({ what }) => what !== 'is dropped unread');

const hasFewer = (old: unknown, now: unknown) => ((old ?? []) as string[]).some((subject) => !((now ?? []) as string[]).includes(subject));

const RULES: Record<keyof Contracts, Rule[]> = {
  rpc: [accepts('request'), sends('reply')],
  events: [fact('type', 'another type'), sends('data'), readsStored],
  jobs: [sends('data'), readsStored],
  http: [
    fact('auth', 'other authentication'),
    fact('bodyLimit', 'a smaller body', (old, now) => Number(now) < Number(old)),
    fact('requiresPlan', 'wants a billing plan', (old, now) => Boolean(now && !old)),
    fact('produces', 'no longer answers in a media type', hasFewer),
    accepts('params'),
    accepts('query'),
    accepts('body'),
    sends('response'),
  ],
  messages: [accepts('request'), sends('reply')],
  streams: [fact('subjects', 'no longer takes a subject', hasFewer)],
  consumers: [fact('stream', 'another stream'), fact('subjects', 'no longer hears a subject', hasFewer)],
  errors: [fact('kind', 'another kind, so another status')],
};

/** @returns the changes in the present contracts that would break a peer of the last release, one line each */
export function contractChanges(
  released: Contracts,
  present: Contracts,
  { version, retired }: Pick<Release, 'version' | 'retired'>,
): string[] {
  return (Object.entries(RULES) as [keyof Contracts, Rule[]][]).flatMap(([kind, rules]) => {
    const now = present[kind];
    return Object.entries(released[kind]).flatMap(([name, old]) => {
      const is = now[name];
      if (is) return unique(rules.flatMap((rule) => rule(old, is))).map((change) => describeChange(name, change));
      return isRetired(retired[name], version) ? [] : [`${name}: is gone. ${KEEP}`];
    });
  });
}

const KEEP =
  'Keep it; once no release in use needs it, name it in libs/contracts/released/retired.json with the first release that used it no more.';

/** Whether the contract was already unused in a published release. */
const isRetired = (since: string | undefined, version: string) => since !== undefined && compareVersions(since, version) <= 0;

function describeChange(name: string, { path, what, was, is }: Change) {
  const next = /\.v(\d+)$/.exec(name);
  const advice = next ? `add ${name.slice(0, next.index)}.v${Number(next[1]) + 1} next to it` : 'add another next to it';
  return `${name}: ${path} ${what} (was ${JSON.stringify(was)}, is ${JSON.stringify(is)}). Make it optional and leave what was as it is, or ${advice}.`;
}

const unique = (changes: Change[]) => [...new Map(changes.map((change) => [`${change.path} ${change.what}`, change])).values()];
