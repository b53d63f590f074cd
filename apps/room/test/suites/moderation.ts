import {
  allowToSpeak,
  changeRole,
  changeRoom,
  changeRoomInClass,
  decideAdmission,
  getParticipant,
  getRoomStatus,
  muteEveryone,
  muteParticipant,
  participantConnection,
  participantRemoved,
  raiseHand,
  removeParticipant,
  spotlightParticipant,
} from '@classroom/contracts';
import { connectionsOf, eventually } from '@classroom/testing';
import { TrackSource } from 'livekit-server-sdk';
import type { ClassMember } from '../support/class-member.js';
import { nameOf, refusal, type RoomFixture, type NewRoom } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const muted = async (member: ClassMember) =>
  Object.fromEntries(((await member.inLiveKit())?.tracks ?? []).map((track) => [TrackSource[track.source], track.muted]));
const count = async ({ roomId }: NewRoom) => {
  const status = await fixture.asBackend(getRoomStatus, { roomId });
  return status.exists ? status.participantCount : 0;
};

describe('who manages participants', () => {
  it('mutes, removes and refuses those of the same or a lower role, whatever their own permissions, and no one of a higher one', async () => {
    const { room, people } = await fixture.classOf(['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN']);
    const [student, moderator, teacher, admin] = people;
    const settings = { permissions: { STUDENT: { manageParticipants: true } } };
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings } });
    const refused = async (by: ClassMember, target: ClassMember) => [
      await refusal(by.act(muteParticipant, { uid: target.uid, source: 'microphone' })),
      await refusal(by.act(removeParticipant, { uid: target.uid })),
      await refusal(by.act(decideAdmission, { uid: target.uid, decision: 'REFUSE' })),
    ];
    for (const [n, by] of people.entries())
      for (const target of people.slice(n + 1)) expect(await refused(by, target)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
    for (const member of people) expect(await member.inLiveKit()).toBeDefined();
    const peer = await fixture.member(room, 'peer', 'TEACHER');
    expect(await teacher.act(removeParticipant, { uid: peer.uid })).toMatchObject({ uid: peer.uid });
    expect(await student.act(muteParticipant, { uid: student.uid, source: 'microphone' })).toMatchObject({ uid: student.uid });
    expect(await moderator.act(removeParticipant, { uid: student.uid })).toMatchObject({ wasConnected: true });
    expect(await admin.act(removeParticipant, { uid: teacher.uid })).toMatchObject({ wasConnected: true });
    expect(await fixture.asBackend(removeParticipant, { roomId: room.roomId, uid: admin.uid })).toMatchObject({ wasConnected: true });
  });

  it('gives those of the same or a lower role at most their own role, and students no permission that they would have themselves', async () => {
    const { room, people } = await fixture.classOf(['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN']);
    const [student, moderator, teacher, admin] = people;
    const settings = { permissions: { STUDENT: { manageParticipants: true } } };
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings } });
    const peer = await fixture.member(room, 'peer', 'STUDENT');
    const become = (by: ClassMember, { uid }: ClassMember, role: 'STUDENT' | 'MODERATOR' | 'TEACHER' | 'ADMIN') =>
      by.act(changeRole, { uid, role });
    for (const [by, target, role] of [
      [student, student, 'MODERATOR'],
      [student, peer, 'TEACHER'],
      [moderator, student, 'TEACHER'],
      [moderator, moderator, 'TEACHER'],
      [moderator, teacher, 'STUDENT'],
      [teacher, student, 'ADMIN'],
      [teacher, admin, 'TEACHER'],
    ] as const)
      expect([by.uid, target.uid, role, await refusal(become(by, target, role))]).toEqual([by.uid, target.uid, role, 'FORBIDDEN']);
    const own = { change: { settings: { permissions: { STUDENT: { publishVideo: true } } } } };
    expect(await refusal(student.act(changeRoomInClass, own))).toBe('FORBIDDEN');
    expect(await teacher.act(changeRoomInClass, own)).toMatchObject({
      permissions: { STUDENT: { publishVideo: true, manageParticipants: true } },
    });

    expect(await become(teacher, peer, 'MODERATOR')).toEqual({ uid: peer.uid, role: 'MODERATOR' });
    expect(await become(moderator, peer, 'STUDENT')).toEqual({ uid: peer.uid, role: 'STUDENT' });
    expect(await become(admin, teacher, 'STUDENT')).toEqual({ uid: teacher.uid, role: 'STUDENT' });
    expect((await teacher.inLiveKit())?.attributes['role']).toBe('STUDENT');
  });

  it('admits one of a higher role', async () => {
    const room = await fixture.newRoom({ waitingRoom: 'ALL' });
    const [moderator, teacher] = [await fixture.member(room, 'mod', 'MODERATOR'), await fixture.member(room, 'head', 'TEACHER')];
    await fixture.asBackend(decideAdmission, { roomId: room.roomId, uid: moderator.uid, decision: 'ADMIT' });
    expect(await refusal(moderator.act(decideAdmission, { uid: teacher.uid, decision: 'REFUSE' }))).toBe('FORBIDDEN');
    expect(await moderator.act(decideAdmission, { uid: teacher.uid, decision: 'ADMIT' })).toEqual({ uid: teacher.uid, state: 'ADMITTED' });
  });
});

describe('muting', () => {
  it('mutes the tracks of one source, once, and only those', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'MODERATOR']);
    const [teacher, moderator] = people;
    await moderator.publish('MICROPHONE');
    await moderator.publish('CAMERA');
    const mute = (source?: 'microphone' | 'camera' | 'screen') =>
      teacher.act(muteParticipant, { uid: moderator.uid, source: source ?? 'microphone' });
    expect(await mute()).toEqual({ uid: moderator.uid, source: 'microphone', wasPublishing: true });
    expect(await muted(moderator)).toEqual({ MICROPHONE: true, CAMERA: false });
    expect(await mute()).toEqual({ uid: moderator.uid, source: 'microphone', wasPublishing: false });
    expect(await mute('screen')).toMatchObject({ source: 'screen', wasPublishing: false });
    await moderator.publish('SCREEN_SHARE');
    expect(await mute('screen')).toMatchObject({ wasPublishing: true });
    expect(await muted(moderator)).toEqual({ MICROPHONE: true, CAMERA: false, SCREEN_SHARE: true });
    const byBackend = { roomId: room.roomId, uid: moderator.uid };
    expect(await fixture.asBackend(muteParticipant, { ...byBackend, source: 'camera' })).toMatchObject({ wasPublishing: true });
    expect(await muted(moderator)).toMatchObject({ CAMERA: true });
    expect(await refusal(fixture.asBackend(muteParticipant, { ...byBackend, uid: 'unknown' }))).toBe('PARTICIPANT_NOT_FOUND');
  });

  it('of a participant who is not connected does nothing', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    await fixture.join(room, 'never');
    expect(await people[0].act(muteParticipant, { uid: 'never' })).toEqual({ uid: 'never', source: 'microphone', wasPublishing: false });
  });

  it('everyone spares the caller, teachers and admins, and names those who were muted', async () => {
    const { people } = await fixture.classOf(['MODERATOR', 'TEACHER', 'ADMIN', 'MODERATOR', 'MODERATOR', 'MODERATOR']);
    const [caller, teacher, admin, second, third, silent] = people;
    for (const member of [caller, teacher, admin, third, second]) await member.publish();
    await silent.publish('CAMERA');
    expect(await caller.act(muteEveryone, {})).toEqual({ muted: [second.uid, third.uid] });
    expect(await Promise.all([caller, teacher, admin, second, third].map(muted))).toEqual([
      { MICROPHONE: false },
      { MICROPHONE: false },
      { MICROPHONE: false },
      { MICROPHONE: true },
      { MICROPHONE: true },
    ]);
    expect(await muted(silent)).toEqual({ CAMERA: false });
    expect(await caller.act(muteEveryone, {})).toEqual({ muted: [] });
  });

  it('fails as unavailable while LiveKit is unreachable', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'MODERATOR']);
    await fixture.livekit.faults({ api: { mode: 'refuse' } });
    expect(await refusal(people[0].act(muteParticipant, { uid: people[1].uid }))).toBe('SERVICE_UNAVAILABLE');
    expect(await refusal(people[0].act(muteEveryone, {}))).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('the spotlight', () => {
  it('is on one participant at most, also of a higher role, until they leave', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'MODERATOR', 'STUDENT']);
    const [teacher, moderator, student] = people;
    const spotlit = async () => {
      const shown = await Promise.all(people.map(async (one) => [one.uid, (await one.inLiveKit())?.attributes['spotlit']] as const));
      return shown.flatMap(([uid, since]) => (since ? [uid] : []));
    };
    const show = (uid: string, shown = true) => moderator.act(spotlightParticipant, { uid, shown });
    expect(await show(student.uid)).toEqual({ uid: student.uid, shown: true });
    expect(await spotlit()).toEqual([student.uid]);
    await show(teacher.uid);
    expect(await spotlit()).toEqual([teacher.uid]);
    // Its own role and rights stay.
    expect(await teacher.inLiveKit()).toMatchObject({ attributes: { role: 'TEACHER' }, permission: { canPublish: true } });
    await show(teacher.uid, false);
    expect(await spotlit()).toEqual([]);
    await fixture.member(room, 'absent');
    expect(await show('absent')).toEqual({ uid: 'absent', shown: false });
    expect(await refusal(show('unknown'))).toBe('PARTICIPANT_NOT_FOUND');
    expect(await refusal(student.act(spotlightParticipant, { uid: student.uid, shown: true }))).toBe('FORBIDDEN');
  });
});

describe('permission to speak', () => {
  it('lets a student publish a microphone and nothing else, until it is revoked', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const speak = (allowed: boolean) => teacher.act(allowToSpeak, { uid: student.uid, allowed });
    await expect(student.publish()).rejects.toMatchObject({ status: 403 });
    await student.act(raiseHand, { raised: true });
    const { version } = await student.state();
    const speaker = { uid: student.uid, name: nameOf(student.uid), allowedBy: nameOf(teacher.uid), allowedAt: expect.any(String) };
    expect(await speak(true)).toEqual({ speakers: [speaker] });
    // It lowers the hand, in the same change.
    expect(await student.state(version)).toEqual({ base: version, version: version + 1, hands: [], speakers: [speaker], ownVotes: {} });
    expect((await student.inLiveKit())?.permission).toMatchObject({ canPublish: true, canPublishSources: [TrackSource.MICROPHONE] });
    await student.publish('MICROPHONE');
    await expect(student.publish('CAMERA')).rejects.toMatchObject({ status: 403 });
    // Repeated, it changes nothing.
    expect(await speak(true)).toEqual({ speakers: [speaker] });
    expect((await student.state()).version).toBe(version + 1);
    expect(await speak(false)).toEqual({ speakers: [] });
    expect(await student.inLiveKit()).toMatchObject({ tracks: [], permission: { canPublish: false } });
    expect((await student.state()).version).toBe(version + 2);
  });

  it('is only for students', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'MODERATOR']);
    expect(await refusal(people[1].act(allowToSpeak, { uid: people[0].uid, allowed: true }))).toBe('VALIDATION_FAILED uid');
  });

  it('follows the row for a student who connects with a token from another time', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const speak = (allowed: boolean) => teacher.act(allowToSpeak, { uid: student.uid, allowed });
    await speak(true);
    const allowed = await fixture.member(student.room, student.uid);
    await speak(false);
    await student.connect(allowed.session.livekitToken);
    await eventually(async () => expect((await student.inLiveKit())?.permission?.canPublish).toBe(false));
    await speak(true);
    // The first token did not allow a microphone.
    await student.connect();
    await eventually(async () => expect((await student.inLiveKit())?.permission?.canPublish).toBe(true));
  });

  it('is corrected in LiveKit by a list if LiveKit was unreachable when it was revoked', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await teacher.act(allowToSpeak, { uid: student.uid, allowed: true });
    await student.publish();
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['UpdateParticipant'] } });
    expect(await teacher.act(allowToSpeak, { uid: student.uid, allowed: false })).toEqual({ speakers: [] });
    expect(await student.inLiveKit()).toMatchObject({ permission: { canPublish: true } });
    await fixture.livekit.clearFaults();
    await eventually(async () => expect(await student.inLiveKit()).toMatchObject({ permission: { canPublish: false }, tracks: [] }));
  });
});

describe('a changed role', () => {
  it('applies to the open connection, revokes permission to speak, and is published with the next version', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await teacher.act(allowToSpeak, { uid: student.uid, allowed: true });
    const { version } = await student.state();
    const change = (uid: string, role: 'TEACHER' | 'STUDENT') => fixture.asBackend(changeRole, { roomId: room.roomId, uid, role });
    expect(await change(student.uid, 'TEACHER')).toEqual({ uid: student.uid, role: 'TEACHER' });
    expect(await student.state(version)).toMatchObject({ version: version + 1, speakers: [] });
    expect(await student.inLiveKit()).toMatchObject({ attributes: { role: 'TEACHER' }, permission: { canPublish: true } });
    const factsOf = async (uid: string) => (await fixture.facts(participantConnection, room.sid)).filter((fact) => fact.uid === uid);
    await eventually(async () => expect((await factsOf(student.uid)).at(-1)).toMatchObject({ role: 'TEACHER', leftAt: null }));
    await change(teacher.uid, 'STUDENT');
    await change(student.uid, 'STUDENT');
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ hasTeacher: false, participantCount: 2 });
    await eventually(async () => expect((await factsOf(student.uid)).at(-1)).toMatchObject({ role: 'STUDENT', leftAt: null }));
    // The same role again changes no interval.
    const published = (await factsOf(student.uid)).length;
    await change(student.uid, 'STUDENT');
    await change(teacher.uid, 'TEACHER');
    await eventually(async () => expect((await factsOf(teacher.uid)).at(-1)).toMatchObject({ role: 'TEACHER' }));
    expect(await factsOf(student.uid)).toHaveLength(published);
    expect(await refusal(change('unknown', 'STUDENT'))).toBe('PARTICIPANT_NOT_FOUND');
  });
});

describe('a removal', () => {
  it('evicts the participant, lowers the hand, informs those present and is published', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, student, other] = people;
    await student.act(raiseHand, { raised: true });
    const { version } = await other.state();
    expect(await teacher.act(removeParticipant, { uid: student.uid })).toEqual({ uid: student.uid, wasConnected: true });
    await eventually(async () => expect(await count(room)).toBe(2));
    expect(await student.inLiveKit()).toBeUndefined();
    const { removedAt } = await fixture.asBackend(getParticipant, { roomId: room.roomId, uid: student.uid });
    const removal = { uid: student.uid, name: nameOf(student.uid), role: 'STUDENT', removedAt };
    expect(await other.state(version)).toEqual({
      base: version,
      version: version + 1,
      hands: [],
      speakers: [],
      removals: [removal],
      ownVotes: {},
    });
    expect((await other.state()).removals).toBeUndefined();
    await eventually(async () => expect((await other.updates()).flatMap(({ removals }) => removals ?? [])).toEqual([removal]));
    await eventually(async () =>
      expect(await fixture.facts(participantRemoved, room.sid)).toEqual([
        { organizationId: fixture.organizationId, sid: room.sid, roomId: room.roomId, uid: student.uid, removedBy: teacher.uid, removedAt },
      ]),
    );
  });

  it('by the backend names no participant as its author, and works for one who never connected', async () => {
    const room = await fixture.newRoom();
    await fixture.join(room, 'never');
    const remove = (uid: string) => fixture.asBackend(removeParticipant, { roomId: room.roomId, uid });
    expect(await remove('never')).toEqual({ uid: 'never', wasConnected: false });
    await eventually(async () => expect(await fixture.facts(participantRemoved, room.sid)).toMatchObject([{ removedBy: '' }]));
    expect(await refusal(remove('unknown'))).toBe('PARTICIPANT_NOT_FOUND');
  });

  it('evicts a participant who comes back with an old token and never counts them; a new token admits them', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await teacher.act(removeParticipant, { uid: student.uid });
    await eventually(async () => expect(await count(room)).toBe(1));
    for (const token of [student.session.livekitToken, student.joinToken]) {
      await student.connect(token);
      await eventually(async () => expect(await student.inLiveKit()).toBeUndefined());
    }
    const counted = async () =>
      (await connectionsOf(fixture.stack, room.sid)).filter(({ uid, isCounted }) => isCounted && uid === student.uid);
    expect(await counted()).toHaveLength(1);
    const back = await fixture.member(room, student.uid);
    await back.connect();
    await eventually(async () => expect(await count(room)).toBe(2));
    expect(await counted()).toHaveLength(2);
  });

  it('evicts by a list a participant whom LiveKit did not evict, whether or not the webhooks arrive', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['RemoveParticipant'] }, webhooks: { lossRate: 1 } });
    expect(await teacher.act(removeParticipant, { uid: student.uid })).toMatchObject({ wasConnected: true });
    expect(await student.inLiveKit()).toMatchObject({ identity: student.uid });
    await fixture.livekit.faults({ api: { mode: 'up' } });
    await eventually(async () => expect(await student.inLiveKit()).toBeUndefined());
    await eventually(async () => expect(await count(room)).toBe(1));
  });
});
