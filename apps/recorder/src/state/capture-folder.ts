import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EgressEvent } from './egress-event.js';
import type { StoredJob, Progress, Step } from './progress.js';
import { isAlive, currentProcess, type ProcessIdentity } from './process-identity.js';

interface StoredCapture {
  job: StoredJob;
  owner: ProcessIdentity;
  /** The trace of the request that brought the job. */
  trace: Record<string, string>;
}

/** An event that has to be published, in the order of the steps. */
export interface PendingEvent {
  file: string;
  subject: string;
  event: EgressEvent;
  /** The trace in which the event was created; recorders of older versions stored none. */
  trace?: Record<string, string>;
}

/**
 * One capture, or merge of files, on disk: everything that the next recorder needs to complete it if this one is killed. Only its owner reads
 * it.
 */
export class CaptureFolder<Job extends StoredJob = StoredJob> {
  private constructor(
    readonly path: string,
    readonly job: Job,
    readonly trace: Record<string, string>,
    private current: Progress,
  ) {}

  static async create<Job extends StoredJob>(
    home: string,
    job: Job,
    progress: Progress,
    trace: Record<string, string>,
  ): Promise<CaptureFolder<Job>> {
    const path = join(home, job.egressId);
    const folder = new CaptureFolder(path, job, trace, progress);
    await mkdir(join(path, 'events'), { recursive: true, mode: 0o700 });
    await folder.write('progress.json', folder.current);
    await folder.writeOwner();
    return folder;
  }

  /** Takes over the folders that belong to no living recorder. */
  static async takeOverAbandoned(home: string): Promise<CaptureFolder[]> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const names = (await readdir(home)).filter((name) => name.startsWith('EG_'));
    const found = await Promise.all(names.map((name) => CaptureFolder.takeOver(join(home, name))));
    return found.filter((folder) => folder !== undefined);
  }

  private static async takeOver(path: string): Promise<CaptureFolder | undefined> {
    const stored = await readJson<StoredCapture>(join(path, 'job.json'));
    const progress = await readJson<Progress>(join(path, 'progress.json'));
    if (stored && (await isAlive(stored.owner))) return undefined;
    if (!stored || !progress) {
      // The recorder was killed before it accepted the job, so it has promised nothing to the caller.
      await rm(path, { recursive: true, force: true });
      return undefined;
    }
    const folder = new CaptureFolder(path, stored.job, stored.trace, progress);
    await folder.writeOwner();
    return folder;
  }

  get progress(): Readonly<Progress> {
    return this.current;
  }

  /** The media as the browser delivered it. */
  get mediaPath(): string {
    return join(this.path, 'capture.mkv');
  }
  /** The finished file. */
  get filePath(): string {
    return join(this.path, 'recording.mp4');
  }
  get profile(): string {
    return join(this.path, 'browser');
  }

  async update(change: Partial<Progress>): Promise<void> {
    this.current = { ...this.current, ...change };
    await this.write('progress.json', this.current);
  }

  async capturedMedia(): Promise<{ bytes: number; until: number } | undefined> {
    const found = await stat(this.mediaPath).catch(() => undefined);
    return found && { bytes: found.size, until: found.mtimeMs };
  }

  /** The file's name begins with the step's position, which keeps the order. */
  async saveEvent(step: Step, event: Omit<PendingEvent, 'file'>): Promise<PendingEvent> {
    const file = join('events', `${STEPS.indexOf(step)}-${step}.json`);
    await this.write(file, event);
    return { file, ...event };
  }

  async pendingEvents(): Promise<PendingEvent[]> {
    const names = (await readdir(join(this.path, 'events'))).filter((name) => name.endsWith('.json')).sort();
    const found = names.map(async (name) => {
      const file = join('events', name);
      const stored = await readJson<Omit<PendingEvent, 'file'>>(join(this.path, file));
      return stored ? [{ file, ...stored }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  async deleteEvent({ file }: PendingEvent): Promise<void> {
    await rm(join(this.path, file), { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  private writeOwner(): Promise<void> {
    const stored: StoredCapture = { job: this.job, owner: currentProcess(), trace: this.trace };
    return this.write('job.json', stored);
  }

  /** Writes the whole file or nothing, because the process may be killed at any moment. */
  private async write(name: string, content: object): Promise<void> {
    const target = join(this.path, name);
    await writeFile(`${target}.new`, JSON.stringify(content), { mode: 0o600 });
    await rename(`${target}.new`, target);
  }
}

const STEPS: readonly Step[] = ['started', 'active', 'ending', 'ended', 'delivered'];

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
