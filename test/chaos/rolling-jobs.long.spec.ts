import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket, eventually, makeSource, type ManagedProcess, RecordedOpenAi, sleep, type SourceFile } from '@classroom/testing';
import { schoolWithModels, type School } from '../system/ai/ai-fixture.js';
import { ndjsonLines, textOf } from '../system/ai/answers.js';
import { StoredVideo, type VideoFixture } from '../system/video/video-fixture.js';
import { expectNoFailure, PER_SECOND, PROBE_EVERY_MS, underLoad, type Gateway } from './balancer.js';
import { MixedLoad } from './mixed-load.js';
import { ServiceAddress } from './service-address.js';
import { startChaosStack, type ChaosStack } from './support.js';

const SHUTDOWN_DELAY_S = 1;
/** Longer than any work of these tests, in seconds. */
const DRAIN_S = 120;
/** From the last frame to the end of a transcoding: long enough for another process to start, even on a busy machine. */
const TRANSCODING_MS = 20_000;
/** Streaming this answer takes longer than starting another process. */
const ANSWER = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');
const WORD_EVERY_MS = 100;
/** Number of pieces of an upload. */
const PIECES = 100;
const PIECE_EVERY_MS = 150;

describe(`the replacement of a process under ${PER_SECOND} requests a second`, () => {
  let chaos: ChaosStack;
  let load: MixedLoad;
  let gateway: Gateway;
  let media: ServiceAddress;
  let folder: string;
  let film: SourceFile;
  const provider = new RecordedOpenAi();
  let school: School;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rolling-'));
    film = await makeSource(folder, 'mp4-faststart', 4);
    media = await ServiceAddress.open();
    chaos = await startChaosStack({
      env: {
        all: { DRAIN_SECONDS: String(DRAIN_S) },
        gateway: { SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_S), MEDIA_INTERNAL_URL: media.url },
      },
    });
    const { stack, stop } = chaos;
    media.add(stack.ports.parts['media'] ?? 0);
    gateway = { port: stack.ports.gateway, probePort: stack.ports.probes['gateway'] ?? 0 };
    const { url: providerUrl } = await provider.start();
    provider.behave({ answer: ANSWER, tokenDelayMs: WORD_EVERY_MS });
    school = await schoolWithModels({ stack, provider, providerUrl, stop });
    load = await MixedLoad.prepare(stack);
  });
  afterAll(async () => {
    await chaos?.stop();
    await provider.stop();
    await media?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const expectOrderlyEnd = async (process: ManagedProcess) => expect(await process.stop()).toMatchObject({ code: 0 });

  /** Starts another process and, when it is ready, stops the first one. */
  async function replaced(name: string): Promise<void> {
    await chaos.stack.addProcess(name, { name: `${name}-2` }).start();
    await expectOrderlyEnd(chaos.stack.app(name));
  }

  it.each(['organization', 'room', 'billing', 'recording'])('of %s fails no request', async (name) => {
    expectNoFailure(await underLoad([gateway], load.ask, () => replaced(name)));
  });

  /** Requests a long answer. Resolves when the model has received the request. */
  async function longAnswer(): Promise<{ text: Promise<string> }> {
    const before = provider.asked().length;
    const answer = fetch(`${chaos.stack.urls.gateway}/v1/ai-agent/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'VF-ORG-ID': school.value },
      body: JSON.stringify({ chatId: randomUUID(), message: 'Tell me', responseType: 'text' }),
    });
    await eventually(() => expect(provider.asked().length).toBeGreaterThan(before));
    return { text: answer.then((it) => it.text()) };
  }

  async function expectWhole({ text }: { text: Promise<string> }): Promise<void> {
    const lines = ndjsonLines(await text);
    expect(lines.at(-1)).toEqual({ type: 'done' });
    expect(textOf(lines)).toBe(ANSWER);
  }

  it('of ai completes an answer in progress', async () => {
    const answer = await longAnswer();
    expectNoFailure(await underLoad([gateway], load.ask, () => replaced('ai')));
    await expectWhole(answer);
  });

  it('of gateway completes an answer in progress', async () => {
    const { stack } = chaos;
    const port = stack.port();
    const replacement = stack.addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(port) } });
    const second = { port, probePort: stack.ports.probes['gateway-2'] ?? 0 };
    const answer = await longAnswer();
    const balancer = await underLoad([gateway, second], load.ask, async () => {
      await replacement.start();
      // Wait until the balancer has probed it.
      await sleep(2 * PROBE_EVERY_MS);
      await expectOrderlyEnd(stack.app('gateway'));
      await stack.app('gateway').start();
      await sleep(2 * PROBE_EVERY_MS);
      await expectOrderlyEnd(replacement);
    });
    await expectWhole(answer);
    expectNoFailure(balancer);
  });

  it('of media completes a transcoding and an upload in progress', async () => {
    const { stack } = chaos;
    const videos: VideoFixture = { stack, bucket: Bucket.of(stack), api: school.api };
    const first = stack.ports.parts['media'] ?? 0;
    const second = stack.port();
    const replacement = stack.addProcess('media', {
      name: 'media-2',
      env: { MEDIA_PORT: String(second), MEDIA_WORK_HOME: join(folder, 'media') },
    });
    await stack.app('media').restart({ FAILPOINTS: `media.transcode.before-commit=delay:${TRANSCODING_MS}` });
    const transcoded = await StoredVideo.sent(videos, film);
    await eventually(async () => expect((await transcoded.row())?.status).toBe('processing'));
    const sent = await StoredVideo.announce(videos, film);
    const bytes = readFileSync(film.path);
    const upload = sent.upload(bytes, { chunkSize: Math.ceil(bytes.length / PIECES), onBeforeRequest: () => sleep(PIECE_EVERY_MS) });
    // If the test fails before it waits for the upload, the upload's end must not fail the next test file.
    upload.catch(() => undefined);
    const balancer = await underLoad([gateway], load.ask, async () => {
      await replacement.start();
      media.add(second);
      media.remove(first);
      await expectOrderlyEnd(stack.app('media'));
      // Finished in time or returned: neither counts as an interruption, which would lead to a second attempt.
      await transcoded.reaches('completed');
      expect(await transcoded.row()).toMatchObject({ attempt: 1 });
    });
    expectNoFailure(balancer);
    await upload;
    await sent.reaches('completed');
  });
});
