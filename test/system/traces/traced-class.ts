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
  /** Values that no trace and no log may contain, by kind. */
  secrets: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * One class on real parts: two participants, chat, a tutor and an agent, a recording that is published and finally deleted, a stored video,
 * webhooks to the school, and a settled account. A second class is ended by no participant. Resolves when everything has ended.
 */
export async function runTracedClass(): Promise<TracedClass> {
  const provider = new RecordedOpenAi();
  const school = new SchoolBackend();
  const urls = { models: (await provider.start()).url, school: await school.listen() };
  const env = {
    // Logs everything that can be logged.
    all: { LOG_LEVEL: 'trace' },
    // So that the gateway trusts the client's address.
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
