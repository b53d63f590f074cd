import {
  participantConnection,
  roomCheckpoint,
  roomCorrected,
  roomFinished,
  roomStarted,
  type EventData,
  type EventEnvelope,
} from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';

type ConnectionFact = EventData<typeof participantConnection>;

interface Interval {
  connectionSid: string;
  uid: string;
  joinedAt: number;
  leftAt: number | null;
  isFinal: boolean;
  isCounted: boolean;
  missingSince: number | null;
  closedBy: string | null;
  version: number;
}

/** A random event in a room. `who` picks one of the possible participants; `ago` is the age of late evidence in seconds. */
export interface RoomEvent {
  what:
    | 'join'
    | 'late-join'
    | 'rejoin'
    | 'leave'
    | 'late-leave'
    | 'leave-unheard'
    | 'aborted'
    | 'list'
    | 'blind-list'
    | 'reappear'
    | 'finish';
  who: number;
  ago: number;
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

/**
 * Models what the room service knows of one room and which facts it publishes, by the rules of presence in apps/room: the version increases
 * by one with each change, a list's checkpoint follows the list's changes, and the end closes all connections. Times are seconds since
 * 1970.
 */
export class RoomModel {
  readonly facts: EventEnvelope[] = [];
  /** The total seconds of the class at its end, and after each piece of later evidence. */
  readonly totalsSinceEnd: number[] = [];
  endedAt: number | null = null;
  private readonly intervals = new Map<string, Interval>();
  /** The most seconds of each connection that were ever verified. */
  private readonly verifiedMost = new Map<string, number>();
  private readonly lost = new Set<string>();
  private version = 0;
  private verifiedAt: number | null = null;
  private joins = 0;

  constructor(
    readonly organizationId: string,
    readonly sid: string,
    readonly roomId = `room-of-${sid}`,
  ) {}

  get isFinished(): boolean {
    return this.endedAt !== null;
  }

  /** The most seconds that may be charged: the sum of each connection's most verified seconds. */
  get chargeableSeconds(): number {
    return [...this.verifiedMost.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  private get totals(): object {
    const versionSum = this.counted().reduce((sum, { version }) => sum + version, 0);
    return { connections: this.counted().length, totalSeconds: this.totalSeconds, versionSum, lastVersion: this.version };
  }

  get totalSeconds(): number {
    return this.counted().reduce((sum, { joinedAt, leftAt }) => sum + (leftAt ?? joinedAt) - joinedAt, 0);
  }

  /** Every counted connection with its start and end, in the order of their sids. */
  get sessions(): { connectionSid: string; joinedAt: number; leftAt: number | null }[] {
    return this.page(undefined, Infinity).map(({ connectionSid, joinedAt, leftAt }) => ({
      connectionSid,
      joinedAt: Date.parse(joinedAt) / 1000,
      leftAt: leftAt === null ? null : Date.parse(leftAt) / 1000,
    }));
  }

  /** Returns a page like roomRpc.connections. */
  page(after: string | undefined, limit: number): ConnectionFact[] {
    const all = this.counted().sort((a, b) => (a.connectionSid < b.connectionSid ? -1 : 1));
    return all
      .filter(({ connectionSid }) => connectionSid > (after ?? ''))
      .slice(0, limit)
      .map((interval) => this.toFact(interval));
  }

  happen({ what, who, ago }: RoomEvent, now: number): void {
    const open = this.open();
    const past = Math.max(now - ago, 0);
    if (this.endedAt !== null) return this.happenAfterEnd(what, who, past);
    if (what === 'join') this.join(now);
    else if (what === 'late-join') this.join(past);
    else if (what === 'rejoin') this.join(now, pick(open, who)?.uid);
    else if (what === 'leave') this.leave(pick(open, who), now);
    else if (what === 'late-leave')
      this.leave(
        pick(
          this.counted().filter((one) => !one.isFinal),
          who,
        ),
        past,
      );
    // Only later lists show it.
    else if (what === 'leave-unheard') this.lost.add(pick(open, who)?.connectionSid ?? '');
    else if (what === 'aborted') this.save([{ ...this.newInterval(now, undefined), leftAt: now, isFinal: true, isCounted: false }]);
    else if (what === 'list') this.list(now, '');
    else if (what === 'blind-list') this.list(now, pick(open, who)?.connectionSid ?? '');
    else if (what === 'reappear') this.reappear(who, now);
    else this.finish(now, ago === 0);
  }

  /** Ends the class and closes all connections: at `now`, or at their last verified second if they are missing or unverified. */
  finish(now: number, isVerified: boolean): void {
    const endedAt = Math.max(now, this.verifiedAt ?? 0);
    const closings = this.open().map((interval) => {
      const at = isVerified && interval.missingSince === null ? endedAt : this.verifiedUntil(interval);
      return { ...interval, leftAt: Math.max(at, interval.joinedAt), closedBy: 'room_end', missingSince: null };
    });
    this.endedAt = endedAt;
    this.save(closings);
    this.publish(roomFinished, {
      title: 'A class',
      startedAt: this.counted()[0] ? iso(Math.min(...this.counted().map(({ joinedAt }) => joinedAt))) : null,
      endedAt: iso(endedAt),
      reason: 'deleted',
      ...this.totals,
    });
    this.totalsSinceEnd.push(this.totalSeconds);
  }

  /** Webhooks that arrive after the end: an exact `left` for a provisional one, or a connection that was unknown until then. */
  private happenAfterEnd(what: RoomEvent['what'], who: number, past: number): void {
    const endedAt = this.endedAt ?? 0;
    if (what === 'late-leave' || what === 'leave') {
      const provisional = pick(
        this.counted().filter((one) => !one.isFinal),
        who,
      );
      if (!provisional) return;
      this.leave(provisional, Math.min(past, endedAt));
    } else if (what === 'late-join' && past < endedAt) {
      this.save([{ ...this.newInterval(past, undefined), leftAt: endedAt, closedBy: 'room_end' }]);
    } else return;
    this.publish(roomCorrected, { title: 'A class', endedAt: iso(endedAt), ...this.totals });
    this.totalsSinceEnd.push(this.totalSeconds);
  }

  private join(at: number, uid?: string): void {
    const older = uid ? this.open().filter((one) => one.uid === uid) : [];
    const closings = older.map((one) => ({ ...one, leftAt: this.verifiedUntil(one), closedBy: 'webhook', missingSince: null }));
    this.save([this.newInterval(at, uid), ...closings]);
    if (this.joins === 1) this.publish(roomStarted, { title: 'A class', startedAt: iso(at) });
  }

  private newInterval(joinedAt: number, uid: string | undefined): Interval {
    this.joins += 1;
    const isUnseen = this.verifiedAt !== null && joinedAt < this.verifiedAt - 1;
    return {
      connectionSid: `PA_${this.sid}_${String(this.joins).padStart(3, '0')}`,
      uid: uid ?? `uid-${this.joins}`,
      joinedAt,
      leftAt: null,
      isFinal: false,
      isCounted: true,
      missingSince: isUnseen ? joinedAt : null,
      closedBy: null,
      version: 0,
    };
  }

  private leave(interval: Interval | undefined, at: number): void {
    if (!interval) return;
    this.save([{ ...interval, leftAt: Math.max(at, interval.joinedAt), closedBy: 'webhook', isFinal: true, missingSince: null }]);
  }

  /** A connection that was closed for missing evidence is listed again. */
  private reappear(who: number, now: number): void {
    const closed = this.counted().filter((one) => one.closedBy === 'reconciler' && !this.lost.has(one.connectionSid));
    const back = pick(closed, who);
    this.list(now, '', back ? [{ ...back, leftAt: null, closedBy: null }] : []);
  }

  /**
   * A list at `now` with all open connections except `unlisted` and those that left unheard. The first list without a connection marks it
   * as missing, the second closes it.
   */
  private list(now: number, unlisted: string, reopened: readonly Interval[] = []): void {
    const changed: Interval[] = [...reopened];
    for (const one of this.open()) {
      const isNew = one.joinedAt >= now - 1;
      if (isNew) continue;
      const isGone = one.connectionSid === unlisted || this.lost.has(one.connectionSid);
      if (isGone && one.missingSince === null) changed.push({ ...one, missingSince: this.verifiedUntil(one) });
      else if (isGone) changed.push({ ...one, leftAt: this.verifiedUntil(one), closedBy: 'reconciler', missingSince: null });
      else if (one.missingSince !== null) changed.push({ ...one, missingSince: null });
    }
    this.save(changed);
    if (this.verifiedAt !== null && this.verifiedAt >= now) return;
    if (this.joins === 0) return;
    this.verifiedAt = now;
    const unseen = this.open().filter((one) => one.missingSince !== null || one.joinedAt >= now - 1);
    this.publish(roomCheckpoint, {
      version: this.version,
      verifiedAt: iso(now),
      unseen: unseen.map(({ connectionSid, missingSince, joinedAt }) => ({ connectionSid, seenAt: iso(missingSince ?? joinedAt) })),
    });
    for (const one of this.open()) this.noteVerified(one);
  }

  private verifiedUntil({ joinedAt, missingSince }: Interval): number {
    if (missingSince !== null) return missingSince;
    return this.verifiedAt === null || joinedAt >= this.verifiedAt - 1 ? joinedAt : this.verifiedAt;
  }

  private save(changed: readonly Interval[]): void {
    for (const interval of changed) {
      this.version += 1;
      const saved = { ...interval, version: this.version };
      this.intervals.set(saved.connectionSid, saved);
      this.noteVerified(saved);
      if (saved.isCounted) this.facts.push(envelopeOf(participantConnection, this.sid, this.toFact(saved)));
    }
  }

  private noteVerified(interval: Interval): void {
    if (!interval.isCounted) return;
    const seconds = (interval.leftAt ?? this.verifiedUntil(interval)) - interval.joinedAt;
    this.verifiedMost.set(interval.connectionSid, Math.max(this.verifiedMost.get(interval.connectionSid) ?? 0, seconds));
  }

  private publish(contract: typeof roomFinished | typeof roomCorrected | typeof roomCheckpoint | typeof roomStarted, data: object): void {
    const { organizationId, sid, roomId } = this;
    this.facts.push(envelopeOf(contract, sid, { organizationId, sid, roomId, ...data } as never));
  }

  private toFact({ connectionSid, uid, joinedAt, leftAt, closedBy, version }: Interval): ConnectionFact {
    const { organizationId, sid, roomId } = this;
    const person = { connectionSid, uid, name: uid, role: 'STUDENT', ip: null };
    const ends = { joinedAt: iso(joinedAt), leftAt: leftAt === null ? null : iso(leftAt) };
    return { organizationId, sid, roomId, ...person, ...ends, openedBy: 'webhook', closedBy, version };
  }

  private counted = () => [...this.intervals.values()].filter(({ isCounted }) => isCounted);
  private open = () => this.counted().filter(({ leftAt }) => leftAt === null);
}

const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(all.length, 1)];
