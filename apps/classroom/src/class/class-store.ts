import type { ChatMessage, ClassState, ClassUpdate, Hand } from '@classroom/contracts';
import { ClassEventNotifier, type Removal } from './class-event-notifier.js';
import type { ClassroomApi } from '../session/session.js';
import { Listeners } from '../store.js';
import { mergeMessages, mergePolls, mergeVotes } from './merge.js';
import { Refresher } from './refresher.js';
import { INITIAL_SNAPSHOT, type ClassSnapshot, type Recording } from './snapshot.js';

/** The most messages in one answer. An answer with this many is assumed to have older messages before them. */
const PAGE_SIZE = 200;
/** How long to wait for the push about one's own action, in milliseconds. After that it counts as lost. */
const PUSH_TIMEOUT_MS = 2_000;

export interface ClassStore {
  getSnapshot(): ClassSnapshot;
  subscribe(listener: () => void): () => void;
  /** Applies a push. Pushes may arrive in any order and repeatedly. */
  receive(update: ClassUpdate): void;
  /** Requests the class state now, and retries after failures. Never rejects. */
  refresh(): Promise<void>;
  /** Call when entering the class. Keeps the known state. */
  start(): void;
  /** Stops all requests and timers, and ignores pushes. */
  stop(): void;
  /** The listener is called once per removal, but not for removals before the first answer. */
  onRemoval(listener: (removal: Removal) => void): () => void;
  /**
   * `started` when a recording is ACTIVE, even if it was before the participant joined: the host page must know. `stopped` when
   * it no longer is. Each is reported once per recording, and not again to later listeners.
   */
  onRecording(listener: (kind: 'started' | 'stopped', recording: Recording) => void): () => void;

  /** Shows the hand in its new state immediately. @throws ApiError, and shows the previous state again */
  raiseHand(raised: boolean, self: { uid: string; name: string }): Promise<void>;
  /** The listener is called with each update after it was applied, in the order of their versions. */
  onUpdate(listener: (update: ClassUpdate) => void): () => void;
  /** Adds messages that no update has brought yet. */
  addMessages(messages: readonly ChatMessage[]): void;
  /** @throws ApiError */
  loadOlderMessages(): Promise<void>;
  /** @throws ApiError */
  vote(pollId: string, option: number): Promise<void>;
  /** Call after one's own action: requests the changed state unless a push brings it. `before`: the version when the action started. */
  expectChange(before: number): void;
}

/** `seesAll`: whether the participant gets what others do not: private messages and reports, or the votes of a poll that hides its result. */
export function createClassStore({ api, now, seesAll }: { api: ClassroomApi; now(): number; seesAll(): boolean }): ClassStore {
  return new LiveClassStore(api, now, seesAll);
}

class LiveClassStore implements ClassStore {
  private snapshot = INITIAL_SNAPSHOT;
  private readonly listeners = new Listeners();
  private readonly classEvents = new ClassEventNotifier();
  private readonly refresher = new Refresher((signal) => this.fetchState(signal));
  private readonly updates = new Listeners<[update: ClassUpdate]>();
  private hands: readonly Hand[] = [];
  private pendingHand: PendingHand | undefined;
  private handRequests: Promise<unknown> = Promise.resolve();
  private handTimer: ReturnType<typeof setTimeout> | undefined;
  private changeTimer: ReturnType<typeof setTimeout> | undefined;
  private olderRequest: Promise<void> | undefined;

  readonly subscribe = this.listeners.add;
  readonly onRemoval = this.classEvents.removals.add;
  readonly onRecording = this.classEvents.recordings.add;
  readonly onUpdate = this.updates.add;

  constructor(
    private readonly api: ClassroomApi,
    private readonly now: () => number,
    private readonly seesAll: () => boolean,
  ) {}

  readonly getSnapshot = (): ClassSnapshot => this.snapshot;

  start(): void {
    this.refresher.start();
  }

  stop(): void {
    this.refresher.stop();
    clearTimeout(this.changeTimer);
    this.clearPendingHand();
  }

  refresh(): Promise<void> {
    return this.refresher.refreshNow();
  }

  receive(update: ClassUpdate): void {
    const { version, messages } = this.snapshot;
    if (!this.refresher.isRunning || update.version <= version) return;
    const isHidden = update.hidden && (this.seesAll() || (update.hidden === 'AUTHORS' && messages.some(({ audience }) => audience)));
    if (isHidden || update.isPartial || update.base > version) this.refresher.refreshSoon();
    else this.apply(update);
  }

  async raiseHand(raised: boolean, self: { uid: string; name: string }): Promise<void> {
    const raisedAt = new Date(this.now()).toISOString();
    const pendingHand: PendingHand = { isRaised: raised, hand: { uid: self.uid, name: self.name, raisedAt } };
    const before = this.snapshot.version;
    clearTimeout(this.handTimer);
    this.showHands(this.hands, pendingHand);
    // Requests are sent one after the other, so raising and quickly lowering ends as lowered.
    const done = this.handRequests.then(() => this.api.raiseHand({ raised }));
    this.handRequests = done.catch(() => undefined);
    try {
      await done;
    } catch (error) {
      if (this.pendingHand === pendingHand) this.clearPendingHand();
      throw error;
    }
    this.expectChange(before);
    // A teacher may have lowered the hand before this page learned that it was up. The class state then never confirms it.
    if (this.pendingHand === pendingHand) this.handTimer = setTimeout(() => this.clearPendingHand(), PUSH_TIMEOUT_MS);
  }

  addMessages(messages: readonly ChatMessage[]): void {
    this.set({ messages: mergeMessages(this.snapshot.messages, messages) });
  }

  loadOlderMessages(): Promise<void> {
    const oldest = this.snapshot.messages[0];
    if (!oldest || !this.snapshot.hasOlderMessages) return Promise.resolve();
    this.olderRequest ??= this.loadBefore(oldest).finally(() => (this.olderRequest = undefined));
    return this.olderRequest;
  }

  async vote(pollId: string, option: number): Promise<void> {
    const voted = await this.api.votePoll({ pollId, option }).catch((error: unknown) => {
      // The poll was closed, or the participant voted on another device.
      this.refresher.refreshSoon();
      throw error;
    });
    this.set({
      polls: mergePolls(this.snapshot.polls, [voted.poll]),
      ownVotes: mergeVotes(this.snapshot.ownVotes, { [pollId]: voted.option }),
    });
  }

  expectChange(before: number): void {
    clearTimeout(this.changeTimer);
    if (!this.refresher.isRunning || this.snapshot.version > before) return;
    this.changeTimer = setTimeout(() => {
      if (this.snapshot.version <= before) this.refresher.refreshSoon();
    }, PUSH_TIMEOUT_MS);
  }

  private async fetchState(signal: AbortSignal): Promise<void> {
    const state = await this.api.getClassState({ after: this.snapshot.version });
    if (!signal.aborted) this.applyState(state);
  }

  private applyState(state: ClassState): void {
    const { version, isLoaded, ownVotes } = this.snapshot;
    // Complete in each answer: who closes the page no longer waits, without another version.
    const waiting = state.waiting ?? (this.seesAll() ? this.snapshot.waiting : []);
    this.set({ isLoaded: true, ownVotes: mergeVotes(ownVotes, state.ownVotes), waiting });
    if (state.base <= version && (isLoaded ? state.version > version : state.version >= version)) this.apply(state);
  }

  private apply(update: ClassUpdate): void {
    const { isLoaded, polls } = this.snapshot;
    this.set({
      version: update.version,
      ...(update.messages && this.mergeUpdate(update)),
      ...(update.speakers && { speakers: update.speakers }),
      ...(update.polls && { polls: mergePolls(polls, update.polls) }),
      ...(update.room && { room: update.room }),
      ...(update.recording !== undefined && { recording: update.recording }),
    });
    if (update.hands) this.applyHands(update.hands);
    if (update.removals && isLoaded) this.classEvents.notifyRemovals(update.removals);
    if (update.recording !== undefined) this.classEvents.updateRecording(update.recording);
    this.updates.notify(update);
  }

  private mergeUpdate({ messages: received = [], hasOlderMessages = false }: ClassUpdate): Partial<ClassSnapshot> {
    const { messages, hasOlderMessages: isPartial } = this.snapshot;
    // After a long absence, the messages between the known ones and the new ones are missing. They are loaded backwards from the new ones.
    if (hasOlderMessages || received.length >= PAGE_SIZE) return { messages: mergeMessages([], received), hasOlderMessages: true };
    // A changed message from before the known ones is loaded with its neighbours.
    const first = isPartial ? (messages[0]?.version ?? 0) : 0;
    return {
      messages: mergeMessages(
        messages,
        received.filter(({ version }) => version >= first),
      ),
    };
  }

  private async loadBefore(oldest: ChatMessage): Promise<void> {
    const page = await this.api.listChatMessages({ before: oldest.version });
    const { messages } = this.snapshot;
    if (messages[0]?.id !== oldest.id) return;
    this.set({ messages: mergeMessages(messages, page.messages), hasOlderMessages: page.hasMore });
  }

  private applyHands(hands: readonly Hand[]): void {
    this.showHands(hands, this.pendingHand && isConfirmed(this.pendingHand, hands) ? undefined : this.pendingHand);
  }

  private clearPendingHand(): void {
    clearTimeout(this.handTimer);
    this.showHands(this.hands, undefined);
  }

  private showHands(hands: readonly Hand[], pendingHand: PendingHand | undefined): void {
    this.hands = hands;
    this.pendingHand = pendingHand;
    this.set({ hands: withPendingHand(hands, pendingHand) });
  }

  private set(change: Partial<ClassSnapshot>): void {
    const keys = Object.keys(change) as (keyof ClassSnapshot)[];
    if (keys.every((key) => Object.is(change[key], this.snapshot[key]))) return;
    this.snapshot = { ...this.snapshot, ...change };
    this.listeners.notify();
  }
}

/** The requested state of one's own hand, shown until the class state confirms it. */
export interface PendingHand {
  readonly hand: Hand;
  readonly isRaised: boolean;
}

export function isConfirmed(pendingHand: PendingHand, hands: readonly Hand[]): boolean {
  return hands.some(({ uid }) => uid === pendingHand.hand.uid) === pendingHand.isRaised;
}

/** Returns the same list if the pending state changes nothing. */
export function withPendingHand(hands: readonly Hand[], pendingHand: PendingHand | undefined): readonly Hand[] {
  if (!pendingHand || isConfirmed(pendingHand, hands)) return hands;
  return pendingHand.isRaised ? [...hands, pendingHand.hand] : hands.filter(({ uid }) => uid !== pendingHand.hand.uid);
}
