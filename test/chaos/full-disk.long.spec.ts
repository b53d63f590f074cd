import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, ApiClient, eventually, expectPresenceInvariants, newRoom, sleep } from '@classroom/testing';
import { pollDuring, startChaosStack, type ChaosStack } from './support.js';

/** Maximum time for an answer, in milliseconds. */
const ANSWER_WITHIN_MS = 20_000;
const MB = 1024 ** 2;
const TUS_HEADERS = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
/** Processes that are not killed here and must not end. */
const SURVIVORS = ['organization', 'room', 'billing', 'recording', 'recorder', 'media'];

/** A file system of 250 MB in memory. The machine's own disk is not filled. */
class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'classroom-disk-'));
  private readonly filler = join(this.folder, 'filler');

  mount(): void {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=755', 'tmpfs', this.folder], { stdio: 'pipe' });
    } catch (error) {
      throw new Error('this test mounts a tmpfs and is not permitted to: run it as root, in a container with --cap-add SYS_ADMIN', {
        cause: error,
      });
    }
    chmodSync(this.folder, 0o755);
  }

  fill(): void {
    const file = openSync(this.filler, 'w');
    try {
      for (let size = MB; size >= 1; size = Math.floor(size / 16)) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.filler);
  }

  unmount(): void {
    execFileSync('umount', [this.folder]);
    rmdirSync(this.folder);
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

interface Probe {
  what: string;
  ms: number;
  answer: Answer;
}

describe('a full disk', () => {
  const disk = new SmallDisk();
  let chaos: ChaosStack;

  beforeAll(async () => {
    disk.mount();
    // The test checks health more often than one address normally may.
    const env = { gateway: { HEALTH_REQUESTS_PER_MINUTE: '1000' } };
    chaos = await startChaosStack({ home: join(disk.folder, 'home'), supervise: true, env });
  });
  afterAll(async () => {
    await chaos?.stop();
    disk.unmount();
  });

  const health = () => new ApiClient(chaos.stack.urls.gateway).get('/v1/health/status');
  const probe = async (what: string, ask: () => Promise<Answer>): Promise<Probe> => {
    const started = Date.now();
    const answer = await ask();
    return { what, ms: Date.now() - started, answer };
  };
  const announceVideo = async () => {
    const size = 6 * MB;
    const { body } = await chaos.api.post('/v1/cdn/videos', { title: 'Film', fileName: 'film.mp4', size, contentType: 'video/mp4' });
    return { size, url: (body.data as { upload: { url: string } }).upload.url };
  };
  const crash = (name: string) => process.kill(chaos.stack.app(name).pid as number, 'SIGKILL');

  it('lets every request get its answer in time and a killed gateway restart, and everything recovers when there is space', async () => {
    const { roomId } = await newRoom(chaos.api);
    const video = await announceVideo();
    const pids = () => SURVIVORS.map((name) => chaos.stack.app(name).pid);
    const before = pids();
    const status = () => chaos.api.get(`/v1/room/${roomId}/status`);
    const whileFull = async () => {
      disk.fill();
      crash('ai');
      await sleep(5_000);
    };
    const answers = (await pollDuring(500, () => Promise.all([probe('status', status), probe('health', health)]), whileFull)).flat();
    const unexpected = answers.filter(({ ms, answer }) => ms > ANSWER_WITHIN_MS || ![200, 503].includes(answer.status));
    expect(unexpected.map(({ what, ms, answer }) => `${what} ${answer.status} after ${ms} ms: ${answer.text}`)).toEqual([]);

    const upload = { method: 'PATCH', headers: TUS_HEADERS, body: Buffer.alloc(video.size) };
    const refused = await fetch(video.url, upload);
    expect([refused.status, await refused.text()]).toEqual([507, 'The storage is full; try again once there is space\n']);

    const { pid: killed, exited } = chaos.stack.app('gateway');
    crash('gateway');
    await exited;
    await eventually(async () => expect([200, 503]).toContain((await health()).status));
    expect(chaos.stack.app('gateway').pid).not.toBe(killed);

    disk.free();
    await eventually(async () => expect((await health()).body?.data?.status).toBe('healthy'));
    await newRoom(chaos.api);
    expect((await status()).status).toBe(200);
    await eventually(() => expectPresenceInvariants(chaos.stack));
    expect(pids()).toEqual(before);
  });
});
