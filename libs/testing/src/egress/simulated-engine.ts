import { randomBytes } from 'node:crypto';
import { sleep } from '../eventually.js';
import { type Behaviour, DEFAULT_BEHAVIOUR } from './behaviour.js';
import { Capture, type CaptureOrder, type CaptureOutlet } from './capture.js';
import { type EgressEvent, toWebhook } from './egress-message.js';

/** LiveKit's own pauses are 1, 2, 4 and 8 s; then the event is lost. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** The common part of both engines' simulations, and the methods with which tests control them. */
export abstract class SimulatedEngine implements CaptureOutlet {
  /** Every capture that was ever begun, oldest first. */
  readonly captures: Capture[] = [];
  protected behaviour: Behaviour = { ...DEFAULT_BEHAVIOUR };
  private reporting: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** Applies from now on; captures in progress keep the behaviour with which they began. */
  behave(change: Partial<Behaviour>): void {
    this.behaviour = { ...this.behaviour, ...change };
    this.changed();
  }

  resetBehaviour(): void {
    this.behave(DEFAULT_BEHAVIOUR);
  }

  of(sid: string): Capture[] {
    return this.captures.filter(({ order }) => order.sid === sid);
  }

  /**
   * The only capture that runs in the room.
   * @throws if there is none or more than one
   */
  running(sid: string): Capture {
    const [capture, ...others] = this.of(sid).filter(({ isRunning }) => isRunning);
    if (!capture || others.length > 0) throw new Error(`${others.length + (capture ? 1 : 0)} captures run in ${sid}`);
    return capture;
  }

  /** Resolves when every event so far has been delivered or lost. */
  async settled(): Promise<void> {
    await this.reporting;
  }

  /** Sends the event as given, whether or not it is true. */
  report(event: EgressEvent): Promise<void> {
    this.reporting = this.reporting.then(() => this.deliver(event));
    return this.reporting;
  }

  freed(): void {
    this.changed();
  }

  abstract store(objectKey: string, film: Buffer): Promise<void>;
  /** Resolves to whether the event was accepted. */
  protected abstract send(event: EgressEvent, webhook: object): Promise<boolean>;
  /** Called when its behaviour or its free slots have changed. */
  protected abstract changed(): void;

  protected get isFull(): boolean {
    return this.captures.filter(({ isRunning }) => isRunning).length >= this.behaviour.slots;
  }

  protected newId(): string {
    return `EG_${randomBytes(6).toString('hex')}`;
  }

  protected begin(order: CaptureOrder): Capture {
    const capture = new Capture(order, this.behaviour, this);
    this.captures.push(capture);
    capture.begin();
    this.changed();
    return capture;
  }

  protected find(egressId: string): Capture | undefined {
    return this.captures.find((one) => one.order.egressId === egressId && !one.isGone);
  }

  /** Ends everything without an event. */
  protected end(): void {
    this.isClosed = true;
    for (const capture of this.captures) capture.vanish();
  }

  private async deliver(event: EgressEvent): Promise<void> {
    for (const pause of [0, ...PAUSES_MS]) {
      await sleep(pause);
      if (this.isClosed || (await this.send(event, toWebhook(event)).catch(() => false))) return;
    }
  }
}
