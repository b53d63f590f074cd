import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byForm, type HostileFile, makeHostileFiles, makeSource, playToEnd, type SourceFile, type TestStack } from '@classroom/testing';
import { startVideoFixture, StoredVideo, type VideoFixture } from './video-fixture.js';

/** The short form sends some of the files: references to a file and to an address, bombs, a broken film, and one with a false header. */
const IN_SHORT_FORM = /^(playlist-(file|http)|concat-http|elsewhere|bomb|truncated|huge-picture|many-years)\b/;

/** Files that are not videos, or that try to make the program that opens them do something. */
describe('a hostile file', () => {
  let fixture: VideoFixture<TestStack>;
  let folder: string;
  let trap: Server;
  let good: SourceFile;
  let canary: SourceFile;
  let files: HostileFile[];
  const connections: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    mkdirSync(join(folder, 'canary'));
    canary = await makeSource(join(folder, 'canary'), 'mpeg2-ts', 2);
    // A program that follows a reference gets a film, which would then be stored and visible here.
    trap = createServer((request, answer) => {
      connections.push(request.url ?? '');
      answer.end(readFileSync(canary.path));
    }).listen(0, '127.0.0.1');
    trap.on('connection', () => connections.push('connection'));
    await new Promise((resolve) => trap.once('listening', resolve));
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/canary.ts`;
    good = await makeSource(folder, 'mov-index-last', 4);
    const made = await makeHostileFiles(join(folder, 'files'), { file: canary.path, url });
    files = byForm({ short: made.filter(({ name }) => IN_SHORT_FORM.test(name)), long: made });
    fixture = await startVideoFixture({ TRANSCODING_SLOTS: '2' });
  });
  afterAll(async () => {
    await fixture?.stack.stop();
    await new Promise((resolve) => trap?.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('fails with a message, opens no connection, and affects no other video', async () => {
    const { stack } = fixture;
    const pid = stack.app('media').pid;
    const bad = await Promise.all(files.map(async (file) => ({ file, video: await StoredVideo.sent(fixture, file) })));
    const between = await StoredVideo.sent(fixture, good);
    const wrong: string[] = [];
    for (const { file, video } of bad) {
      await video
        .reaches(file.plays === null ? 'failed' : 'completed', 240_000)
        .catch((error: unknown) => wrong.push(`${file.name}: ${String(error)}`));
      if (file.plays !== null) {
        const { url } = (await video.url()).body.data as { url: string };
        if (Math.abs((await playToEnd(url)).seconds - file.plays) > 0.3) wrong.push(`${file.name} plays as long as it tells`);
        continue;
      }
      const {
        url,
        posterUrl,
        message = '',
      } = (await video.url()).body.data as { url: string | null; posterUrl: string | null; message?: string };
      // The message must be readable for people: what is wrong, without details of this machine.
      if (!/^\p{Lu}[^\n]{15,300}$/u.test(message) || /\/|canary|ffmpeg|0x/i.test(message)) wrong.push(`${file.name} says: ${message}`);
      if (url !== null || posterUrl !== null) wrong.push(`${file.name} can be played`);
      const left = await video.objects();
      if (left.some((name) => name !== 'source')) wrong.push(`${file.name} left ${left.join(', ')}`);
    }
    expect(wrong).toEqual([]);
    expect(connections).toEqual([]);
    await between.reaches('completed');
    expect((await playToEnd((await between.url()).body.data.url as string)).complaints).toEqual([]);
    expect(stack.app('media').pid).toBe(pid);
    expect((await fetch(`http://127.0.0.1:${stack.ports.probes['media']}/readyz`)).status).toBe(200);
    const logged = stack.log('media');
    expect(/heap out of memory|FATAL ERROR|unhandled/i.exec(logged)?.[0]).toBeUndefined();

    const after = await StoredVideo.sent(fixture, good);
    await after.reaches('completed');
    const attempts = await stack.rows<{ attempt: number }>(`SELECT attempt FROM media.videos WHERE status = 'failed' AND attempt <> 1`);
    // A broken file stays broken, so it is not retried.
    expect(attempts).toEqual([]);
  });
});
