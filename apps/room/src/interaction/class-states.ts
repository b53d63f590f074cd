import { Injectable } from '@nestjs/common';
import {
  AppError,
  CLASS_TOPIC,
  getClassState,
  type ChatMessage,
  type ClassState,
  type ClassUpdate,
  type Grants,
  type Hand,
  type Reaction,
  type RpcInput,
  type Speaker,
} from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import type { Transaction } from '@classroom/persistence';
import { Broadcaster } from '../livekit/broadcaster.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { WaitingRoomList } from '../participants/waiting-room-list.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { toRoomDetails } from '../rooms/find-room.js';
import { RoomsRepository, type ClassPart } from '../rooms/rooms.repository.js';
import { settingsOf } from '../schema/settings.js';
import { ChatRepository, MESSAGES_BYTES, type ChatViewer } from './chat.repository.js';
import { ClassStatesRepository, ReactionsRepository, RoomRecordingsRepository } from './class-states.repository.js';
import { asSeenInClass, hidesVotes, PollsRepository, PollVotesRepository } from './polls.repository.js';

/** Who reads the state of a class. `managesPolls`: sees the votes of an open poll that hides its result. */
export interface ClassViewer extends ChatViewer {
  managesPolls: boolean;
}

/** What every participant of a class gets. */
const EVERYONE: ClassViewer = { seesAll: false, uid: null, managesPolls: false };

/** Those who manage participants see private messages and reports. */
export const toViewer = ({ uid, permissions }: { uid: string; permissions: Grants }): ClassViewer => ({
  uid,
  seesAll: permissions.manageParticipants,
  managesPolls: permissions.managePolls,
});

/** Milliseconds after which a reaction is no longer shown. */
const REACTION_TTL_MS = 10_000;
/** Chat messages in an answer at most; the page requests older ones separately. */
const MAX_MESSAGES = 200;
/** Bytes of each part at most, in addition to `MESSAGES_BYTES` of chat: all parts together are one NATS message. */
const HANDS_BYTES = 160 * 1024;
const SPEAKERS_BYTES = 64 * 1024;
const POLLS_BYTES = 256 * 1024;
const REACTIONS_BYTES = 64 * 1024;
const REMOVALS_BYTES = 64 * 1024;
const WAITING_BYTES = 64 * 1024;

/** Reads a class's shared state: all of it, or what changed after a version. The same answer is pushed and returned to requests. */
@Injectable()
export class ClassStates {
  constructor(
    private readonly states: ClassStatesRepository,
    private readonly chat: ChatRepository,
    private readonly polls: PollsRepository,
    private readonly reactions: ReactionsRepository,
    private readonly recordings: RoomRecordingsRepository,
    private readonly waitingRoom: WaitingRoomList,
    private readonly deadlines: RoomDeadlines,
    private readonly clock: Clock,
  ) {}

  /**
   * What `viewer` gets. Undefined if there is no such room. Parts may be newer than `version`: they are then sent again, which changes nothing.
   */
  async updateSince(sid: string, viewer: ClassViewer, after: number): Promise<ClassUpdate | undefined> {
    const versions = await this.states.versions(sid);
    if (!versions) return undefined;
    const update: ClassUpdate = { base: after, version: versions.version };
    const changed = (part: ClassPart) => after === 0 || versions[part] > after;
    if (changed('hands')) update.hands = await this.hands(sid);
    if (changed('speakers')) update.speakers = await this.speakers(sid);
    if (changed('chat')) Object.assign(update, await this.messages(sid, viewer, after));
    if (changed('polls')) {
      const polls = await this.polls.changedSince(sid, after);
      // The newest polls, if not all of them fit.
      update.polls = fitMessage(polls.map((poll) => asSeenInClass(poll, viewer)).reverse(), POLLS_BYTES).reverse();
      if (viewer === EVERYONE && polls.some(hidesVotes)) update.hidden = 'TEACHERS';
    }
    if (changed('reactions')) update.reactions = await this.recentReactions(sid, after);
    if (after > 0 && changed('removals')) update.removals = await this.removals(sid, after);
    if (changed('details')) update.room = toRoomDetails(this.deadlines.byOurClock(versions));
    if (viewer === EVERYONE && changed('waiting')) update.hidden = 'TEACHERS';
    // Who closes the page no longer waits, which is no change of a row.
    if (viewer.seesAll && (settingsOf(versions).waitingRoom !== 'OFF' || versions.waiting > after)) {
      update.waiting = fitMessage(await this.waitingRoom.list(sid), WAITING_BYTES);
    }
    if (changed('recording')) update.recording = await this.recordingOf(sid);
    return update;
  }

  /** Raised hands, the earliest first, as many as fit. */
  async hands(sid: string): Promise<Hand[]> {
    const rows = await this.states.hands(sid);
    return fitMessage(
      rows.map(({ uid, name, raisedAt }) => ({ uid, name, raisedAt: raisedAt.toISOString() })),
      HANDS_BYTES,
    );
  }

  async speakers(sid: string): Promise<Speaker[]> {
    const rows = await this.states.speakers(sid);
    return fitMessage(
      rows.map(({ uid, name, allowedBy, allowedAt }) => ({ uid, name, allowedBy, allowedAt: allowedAt.toISOString() })),
      SPEAKERS_BYTES,
    );
  }

  /**
   * If new and changed messages do not fit together, only the newest messages are returned, as after a long absence: the client forgets
   * the others and requests them again.
   */
  private async messages(sid: string, viewer: ClassViewer, after: number): Promise<Pick<ClassUpdate, 'messages' | 'hasOlderMessages'>> {
    const limit = { limit: MAX_MESSAGES, bytes: MESSAGES_BYTES };
    const added = await this.chat.page(sid, viewer, { ...limit, after });
    if (added.hasMore) return { messages: added.messages, hasOlderMessages: true };
    if (after === 0) return { messages: added.messages };
    const changed = await this.chat.changedSince(sid, viewer, after, MAX_MESSAGES);
    if (changed.length === 0) return { messages: added.messages };
    const messages: ChatMessage[] = [...changed, ...added.messages];
    if (messages.length < MAX_MESSAGES && fitMessage(messages, MESSAGES_BYTES).length === messages.length) return { messages };
    return { messages: (await this.chat.page(sid, viewer, limit)).messages, hasOlderMessages: true };
  }

  private async recentReactions(sid: string, after: number): Promise<Reaction[]> {
    const rows = await this.reactions.since(sid, after, new Date(this.clock.wall().getTime() - REACTION_TTL_MS));
    const reactions = rows.map(({ sentAt, ...reaction }) => ({ ...reaction, sentAt: sentAt.toISOString() }));
    return fitMessage(reactions.reverse(), REACTIONS_BYTES).reverse();
  }

  private async recordingOf(sid: string): Promise<ClassUpdate['recording']> {
    const current = await this.recordings.findCurrent(sid);
    return current ? { egressId: current.egressId, status: current.status, ...(current.isPaused && { paused: true }) } : null;
  }

  private async removals(sid: string, after: number): Promise<NonNullable<ClassUpdate['removals']>> {
    const rows = await this.states.removals(sid, after);
    return fitMessage(
      rows.map(({ removedAt, ...person }) => ({ ...person, removedAt: removedAt.toISOString() })),
      REMOVALS_BYTES,
    );
  }
}

/** Returns a class's shared state to one participant, with that participant's votes. */
@Injectable()
export class GetClassState {
  constructor(
    private readonly authorizer: ClassAuthorizer,
    private readonly states: ClassStates,
    private readonly votes: PollVotesRepository,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getClassState)
  async execute({ caller, after }: RpcInput<typeof getClassState>): Promise<ClassState> {
    const viewer = toViewer(await this.authorizer.requireReadAccess(caller));
    const update = await this.states.updateSince(caller.sid, viewer, after);
    if (!update) throw new AppError('UNAUTHORIZED');
    const ownVotes = update.polls ? await this.votes.findOwn(caller.sid, caller.uid) : {};
    return { ...update, ownVotes };
  }
}

/** Sends changes of a class's shared state. Who gets more than everyone requests it. */
@Injectable()
export class ClassStateBroadcaster extends Broadcaster<ClassUpdate> {
  constructor(
    livekit: LiveKitRooms,
    private readonly states: ClassStates,
    private readonly chat: ChatRepository,
  ) {
    super(livekit, CLASS_TOPIC);
  }

  protected async messageOf(sid: string, base: number): Promise<ClassUpdate | undefined> {
    const update = await this.states.updateSince(sid, EVERYONE, base);
    // Read afterwards: a message that was added in between is announced, and announced again with the next update.
    const hidden = update?.messages && (await this.chat.hiddenSince(sid, base));
    return update && { ...update, ...(hidden && { hidden }) };
  }

  protected withoutParts({ base, version }: ClassUpdate): ClassUpdate {
    return { base, version, isPartial: true };
  }
}

/** Counts changes of a class's shared state and has them broadcast to the connected participants. */
@Injectable()
export class ClassChanges {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly broadcaster: ClassStateBroadcaster,
  ) {}

  /** Returns the version of a change to `parts`; `tx` must hold the room's lock. The change is broadcast after the commit. */
  async record(tx: Transaction, sid: string, ...parts: ClassPart[]): Promise<number> {
    const version = await this.rooms.bumpClassVersion(tx, sid, parts);
    tx.afterCommit(`class ${version}`, () => this.broadcaster.schedule(sid, version));
    return version;
  }
}
