'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { readFilm } = require('./film');
const { TreeWatch, total, watchMachine } = require('./process-tree');

const BETWEEN_CLASSES_MS = 2_000;

/**
 * @typedef {object} Scene
 * @property {string} preset
 * @property {string} layout
 * @property {number} people publishing in each class
 * @property {number} [classes] filmed at once
 * @property {boolean} [isBusy] a core is burned beside
 */

/** @typedef {Awaited<ReturnType<typeof measure>>} Run */

/**
 * One scene from its first frame to its file. CPU is in seconds for each minute of film, one film's share.
 * @param {import('./studio').Studio} studio @param {Scene} scene @param {number} seconds
 */
async function measure(studio, scene, seconds) {
  const { people, classes = 1, isBusy = false } = scene;
  const opened = await Promise.all(Array.from({ length: classes }, () => studio.openClass(people)));
  const burner = isBusy ? studio.spawn('burner.js') : undefined;
  const publisherPids = opened.map(({ publishers }) => Number(publishers.pid));
  try {
    const jobs = await Promise.all(opened.map(({ sid }) => studio.film(sid, scene)));
    await sleep(1_000);
    const machine = watchMachine();
    const watches = { recorder: watch([studio.recorderPid]), publishers: watch(publisherPids), livekit: watch(Object.values(studio.partPids)) };
    const begun = Date.now();
    await sleep(seconds * 1000);
    const filming = { recorder: watches.recorder(), publishers: watches.publishers(), livekit: watches.livekit(), machine: machine() };
    const minutes = (Date.now() - begun) / 60_000;
    const counts = await Promise.all(opened.map(({ publishers }) => countsOf(studio, publishers)));
    const cutting = watch([studio.recorderPid]);
    await Promise.all(jobs.map((job) => studio.stopFilming(job)));
    const afterwards = cutting();
    await Promise.all(opened.map(({ publishers }) => studio.end(publishers)));
    if (burner) await studio.end(burner);
    const films = [];
    for (const job of jobs) films.push(await readFilm(await studio.fetchFilm(job)));
    const perMinute = (/** @type {Record<string, number>} */ sums) => total(sums) / minutes / classes;
    const length = films.reduce((sum, film) => sum + film.seconds, 0) / 60;
    return {
      scene,
      films,
      cpu: perMinute(filming.recorder),
      parts: Object.fromEntries(Object.entries(filming.recorder).map(([kind, value]) => [kind, value / minutes / classes])),
      cutCpu: (afterwards.ffmpeg ?? 0) / length,
      publishersCpu: perMinute(filming.publishers),
      livekitCpu: perMinute(filming.livekit),
      busyCores: filming.machine,
      ownCores: (total(filming.recorder) + total(filming.publishers) + total(filming.livekit)) / minutes / 60 + (isBusy ? 1 : 0),
      late: counts.reduce((sum, { late }) => sum + late, 0),
    };
  } finally {
    await Promise.all([burner, ...opened.map(({ publishers }) => publishers)].map((child) => child && studio.end(child)));
    await sleep(BETWEEN_CLASSES_MS);
  }
}

/** @param {number[]} pids */
function watch(pids) {
  const watches = pids.map((pid) => new TreeWatch(pid));
  return () => {
    /** @type {Record<string, number>} */
    const sums = {};
    for (const one of watches) for (const [kind, value] of Object.entries(one.end())) sums[kind] = (sums[kind] ?? 0) + value;
    return sums;
  };
}

/** @param {import('./studio').Studio} studio @param {import('node:child_process').ChildProcess} publishers @returns {Promise<{ sent: number, late: number }>} */
async function countsOf(studio, publishers) {
  const answer = studio.answer(publishers);
  publishers.send('counts');
  return answer;
}

/** The same class received without a browser, and nothing made of it. @param {import('./studio').Studio} studio @param {number} people @param {number} seconds */
async function measureReceiving(studio, people, seconds) {
  const { sid, publishers } = await studio.openClass(people);
  const receiver = studio.spawn('bare-receiver.js');
  try {
    const token = await studio.token(sid, 'receiver', { canPublish: false, canSubscribe: true });
    const answer = studio.answer(receiver);
    receiver.send({ url: studio.stack.urls.livekitPublic, token, seconds });
    return { people, ...(await answer) };
  } finally {
    await Promise.all([receiver, publishers].map((child) => studio.end(child)));
  }
}

module.exports = { measure, measureReceiving };
