import { ClassEventNotifier, type ClassEventListener } from './class-event-notifier.js';
import { jitter } from '../retry.js';
import type { ClassUpdate } from './responses.js';

/** How often to request the class state even if no push suggests it, in milliseconds: a push may be lost unnoticed. */
const BACKSTOP_MS = 30_000;
/** All participants notice the same gap at the same moment; this spreads their requests, in milliseconds. */
const SPREAD_MS = 1_000;
const FIRST_RETRY_MS = 1_000;

/** Follows the state of a class by the service's pushes. Requests the missing updates if the pushes leave a gap. */
export class ClassStateSync {
  private readonly notifier;
  private running: object | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRequesting = false;
  private needsRefresh = false;
  private failures = 0;

  constructor(
    private readonly fetchState: (after: number) => Promise<ClassUpdate>,
    listener: ClassEventListener,
  ) {
    this.notifier = new ClassEventNotifier(listener);
  }

  /** Call after each entry into the class. Requests what changed in the meantime. */
  start(): void {
    this.stop();
    this.running = {};
    void this.refresh(this.running);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running = undefined;
    this.isRequesting = false;
    this.failures = 0;
  }

  /** Applies a push from the service. */
  receive(payload: Uint8Array): void {
    if (!this.running) return;
    const update = parse(payload);
    if (!update || this.notifier.applyPush(update)) return;
    if (this.isRequesting) this.needsRefresh = true;
    else if (this.failures === 0) this.schedule(Math.random() * SPREAD_MS);
  }

  private async refresh(run: object): Promise<void> {
    this.isRequesting = true;
    this.needsRefresh = false;
    const state = await this.fetchState(this.notifier.version).catch(() => undefined);
    if (run !== this.running) return;
    this.isRequesting = false;
    if (state) this.notifier.applyResponse(state);
    this.failures = state ? 0 : this.failures + 1;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (this.failures - 1), BACKSTOP_MS);
    if (this.needsRefresh && state) this.schedule(Math.random() * SPREAD_MS);
    else this.schedule((state ? BACKSTOP_MS : retryMs) * jitter());
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    const { running } = this;
    if (running) this.timer = setTimeout(() => void this.refresh(running), ms);
  }
}

function parse(payload: Uint8Array): ClassUpdate | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(payload)) as ClassUpdate;
  } catch {
    return undefined;
  }
}
