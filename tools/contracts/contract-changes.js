'use strict';

const { breakingChanges } = require('./schema-changes');

/**
 * @typedef {import('./list-contracts').Contracts} Contracts
 * @typedef {import('./schema-changes').Change} Change
 */

const accepts = (/** @type {string} */ part) => (/** @type {any} */ old, /** @type {any} */ now) => (old[part] ? breakingChanges(old[part], now[part] ?? {}, 'accepts', part) : []);
const tells = (/** @type {string} */ part) => (/** @type {any} */ old, /** @type {any} */ now) => (old[part] ? breakingChanges(old[part], now[part] ?? {}, 'tells', part) : []);

/** @param {string} part @param {string} what @param {(old: any, now: any) => boolean} isBroken */
const fact = (part, what, isBroken = (old, now) => old !== now) => (/** @type {any} */ old, /** @type {any} */ now) =>
  isBroken(old[part], now[part]) ? [{ path: part, what, was: old[part], is: now[part] }] : [];

/** Facts and jobs of the old release are still there when the new one reads them. @param {any} old @param {any} now @returns {Change[]} */
const readsWhatLies = (old, now) => breakingChanges(old.data, now.readAs, 'accepts', 'data').filter(({ what }) => what !== 'is dropped unread');

const hasFewer = (/** @type {string[] | undefined} */ old, /** @type {string[]} */ now) => (old ?? []).some((subject) => !now.includes(subject));

/** @type {Record<keyof Contracts, ((old: any, now: any) => Change[])[]>} */
const RULES = {
  rpc: [accepts('request'), tells('reply')],
  events: [fact('type', 'another type'), tells('data'), readsWhatLies],
  jobs: [tells('data'), readsWhatLies],
  http: [
    fact('auth', 'other authentication'),
    fact('bodyLimit', 'a smaller body', (old, now) => now < old),
    fact('requiresPlan', 'wants a billing plan', (old, now) => now && !old),
    fact('produces', 'no longer answers in a media type', hasFewer),
    accepts('params'), accepts('query'), accepts('body'), tells('response'),
  ],
  messages: [accepts('request'), tells('reply')],
  streams: [fact('subjects', 'no longer takes a subject', hasFewer)],
  consumers: [fact('stream', 'another stream'), fact('subjects', 'no longer hears a subject', hasFewer)],
  errors: [fact('kind', 'another kind, so another status')],
};

/**
 * What of the present contracts a peer of the last release would break on, a line or two each.
 * @param {Contracts} released @param {Contracts} present
 * @param {{ version: string, retired: Record<string, string> }} release `retired`: contract → the release from which on nobody used it
 * @returns {string[]}
 */
function contractChanges(released, present, { version, retired }) {
  return Object.entries(RULES).flatMap(([kind, rules]) => {
    const now = present[/** @type {keyof Contracts} */ (kind)];
    return Object.entries(released[/** @type {keyof Contracts} */ (kind)]).flatMap(([name, old]) => {
      const is = now[name];
      if (is) return unique(rules.flatMap((rule) => rule(old, is))).map((change) => told(name, change));
      return isRetired(retired[name], version) ? [] : [`${name}: is gone. ${KEEP}`];
    });
  });
}

const KEEP = 'Keep it; once no release in use needs it, name it in libs/contracts/released/retired.json with the first release that used it no more.';

/** Nobody used it in a release that is out. @param {string | undefined} since @param {string} version */
const isRetired = (since, version) => since !== undefined && compareVersions(since, version) <= 0;

/** @param {string} a @param {string} b */
function compareVersions(a, b) {
  const [left, right] = [a, b].map((it) => it.split('.').map(Number));
  return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** @param {string} name @param {Change} change */
function told(name, { path, what, was, is }) {
  const next = /\.v(\d+)$/.exec(name);
  const beside = next ? `add ${name.slice(0, next.index)}.v${Number(next[1]) + 1} beside it` : 'add another beside it';
  return `${name}: ${path} ${what} (was ${JSON.stringify(was)}, is ${JSON.stringify(is)}). Make it optional and leave what was as it is, or ${beside}.`;
}

/** @param {Change[]} changes */
const unique = (changes) => [...new Map(changes.map((change) => [`${change.path} ${change.what}`, change])).values()];

module.exports = { contractChanges, compareVersions };
