import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSource, RecordedOpenAi, RtcParticipant, TestStack } from '@classroom/testing';
import { type Actions, RunningClass } from './running-class.js';
import { SchoolBackend } from './school-backend.js';

const APPS = ['organization', 'room', 'gateway', 'billing', 'recording', 'recorder', 'media', 'ai'];

export interface TracedClass {
  stack: TestStack;
  /** The services that took part. */
  apps: string[];
  actions: Actions;
  /** What may stand in no trace and no log, by what it is. */
  secrets: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * One class on real parts: two people, chat, a tutor and an agent, a recording that is published and at last deleted, a
 * stored video, webhooks to the school, and a settled account; beside it another that nobody ends. Resolves when all of it
 * is over.
 */
export async function runTracedClass(): Promise<TracedClass> {
  const provider = new RecordedOpenAi();
  const school = new SchoolBackend();
  const urls = { models: (await provider.start()).url, school: await school.listen() };
  const env = {
    // Whatever could ever be logged.
    all: { LOG_LEVEL: 'trace' },
    // So that the gateway believes whose address it is.
    gateway: { TRUSTED_PROXIES: '127.0.0.1' },
  };
  const stack = await TestStack.start({ apps: APPS, env });
  const folder = mkdtempSync(join(tmpdir(), 'traced-'));
  const stop = async () => {
    await RtcParticipant.disposeAll();
    await stack.stop();
    await provider.stop();
    school.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const running = new RunningClass(stack, provider, urls);
    await running.run(await makeSource(folder, 'silent', 2));
    return { stack, apps: APPS, actions: running.actions as Actions, secrets: running.secrets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
