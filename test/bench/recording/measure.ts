import { setTimeout as sleep } from 'node:timers/promises';
import type { followNumbers } from './barcode.ts';
import { readFilm } from './film.ts';
import { ProcessTreeSampler, total, watchMachine } from './process-tree.ts';
import type { Studio } from './studio.ts';
import type { ChildProcess } from 'node:child_process';

const BETWEEN_CLASSES_MS = 2_000;

export interface Scene {
  preset: string;
  layout: string;
  /** number of participants who publish in each class */
  people: number;
  /** number of classes that are recorded at the same time */
  classes?: number;
  /** whether another process uses one core meanwhile */
  isBusy?: boolean;
}

export type Run = Awaited<ReturnType<typeof measure>>;

/** Measures one scene from its first frame to its file. CPU is in seconds per minute of film, divided by the number of films. */
export async function measure(studio: Studio, scene: Scene, seconds: number) {
  const { people, classes = 1, isBusy = false } = scene;
  const opened = await Promise.all(Array.from({ length: classes }, () => studio.openClass(people)));
  const burner = isBusy ? studio.spawn('burner.ts') : undefined;
  const publisherPids = opened.map(({ publishers }) => Number(publishers.pid));
  try {
    const jobs = await Promise.all(opened.map(({ sid }) => studio.film(sid, scene)));
    await sleep(1_000);
    const machine = watchMachine();
    const watches = {
      recorder: watch([studio.recorderPid]),
      publishers: watch(publisherPids),
      livekit: watch(Object.values(studio.partPids)),
    };
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
    const perMinute = (sums: Record<string, number>) => total(sums) / minutes / classes;
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
    await Promise.all([...(burner ? [burner] : []), ...opened.map(({ publishers }) => publishers)].map((child) => studio.end(child)));
    await sleep(BETWEEN_CLASSES_MS);
  }
}

function watch(pids: number[]) {
  const watches = pids.map((pid) => new ProcessTreeSampler(pid));
  return () => {
    const sums: Record<string, number> = {};
    for (const one of watches) for (const [kind, value] of Object.entries(one.end())) sums[kind] = (sums[kind] ?? 0) + value;
    return sums;
  };
}

async function countsOf(studio: Studio, publishers: ChildProcess): Promise<{ sent: number; late: number }> {
  const answer = studio.answer(publishers);
  publishers.send('counts');
  return (await answer) as { sent: number; late: number };
}

/** CPU seconds per minute, pictures per second, and missing or repeated numbers. */
export type Received = { cpu: number; fps: number } & ReturnType<typeof followNumbers>;

/** Receives the same class without a browser and without recording it. */
export async function measureReceiving(studio: Studio, people: number, seconds: number): Promise<Received> {
  const { sid, publishers } = await studio.openClass(people);
  const receiver = studio.spawn('bare-receiver.ts');
  try {
    const token = await studio.token(sid, 'receiver', { canPublish: false, canSubscribe: true });
    const answer = studio.answer(receiver);
    receiver.send({ url: studio.stack.urls.livekitPublic, token, seconds });
    return (await answer) as Received;
  } finally {
    await Promise.all([receiver, publishers].map((child) => studio.end(child)));
  }
}
