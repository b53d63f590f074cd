import {
  allowToSpeak,
  changeRoom,
  classroomRpc,
  createPoll,
  getRoom,
  joinRoom,
  lowerAllHands,
  raiseHand,
  sendChatMessage,
  sendReaction,
  setPreset,
  votePoll,
  type PermissionOverrides,
} from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { TrackSource } from 'livekit-server-sdk';
import { ClassMember } from '../support/class-member.js';
import { refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

const { CAMERA, MICROPHONE } = TrackSource;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const change = ({ roomId }: NewRoom, permissions: object) =>
  fixture.asBackend(changeRoom, { roomId, change: { settings: { permissions } } });
const renewed = async ({ caller }: ClassMember) => fixture.call(classroomRpc.openSession, { caller });
const permits = (member: ClassMember, sources: TrackSource[]) =>
  eventually(async () =>
    expect((await member.inLiveKit())?.permission).toMatchObject({ canPublish: sources.length > 0, canPublishSources: sources }),
  );

describe('the permissions of a room', () => {
  it('come from the preset and the request, are shown, and can be changed and removed', async () => {
    await fixture.asBackend(setPreset, {
      presetName: 'debate',
      settings: { permissions: { STUDENT: { publishAudio: true, chat: false }, TEACHER: { endClass: false } } },
    });
    const room = await fixture.newRoom({ preset: 'debate', permissions: { STUDENT: { chat: true } } });
    const shown = async () => (await fixture.asBackend(getRoom, { roomId: room.roomId })).settings.permissions;
    expect(await shown()).toEqual({ STUDENT: { publishAudio: true, chat: true }, TEACHER: { endClass: false } });
    const changed = await change(room, { STUDENT: { publishAudio: null }, TEACHER: { endClass: null } });
    expect(changed.permissions).toEqual({ STUDENT: { chat: true } });
    expect(await shown()).toEqual({ STUDENT: { chat: true } });
    await change(room, { STUDENT: { chat: null } });
    expect(await shown()).toEqual({});
  });

  it('apply to each action, until they change', async () => {
    const room = await fixture.newRoom({ permissions: { STUDENT: { raiseHand: false, react: false, answerPolls: false, chat: false } } });
    const teacher = await fixture.member(room, 'ada', 'TEACHER');
    const student = await fixture.member(room, 'bob');
    const { pollId } = await teacher.act(createPoll, { question: 'Which?', options: ['a', 'b'] });
    const actions = [
      () => student.act(raiseHand, { raised: true }),
      () => student.act(sendReaction, { emoji: '👍' }),
      () => student.act(votePoll, { pollId, option: 0 }),
      () => student.act(sendChatMessage, { text: 'Hello' }),
    ];
    for (const action of actions) expect(await refusal(action())).toBe('FORBIDDEN');
    // A hand that was raised before can still be lowered.
    expect(await student.act(raiseHand, { raised: false })).toEqual({ hands: [] });
    expect(await refusal(student.act(lowerAllHands, {}))).toBe('FORBIDDEN');
    const everything = { raiseHand: null, react: true, answerPolls: null, chat: null, manageParticipants: true };
    await change(room, { STUDENT: everything });
    for (const action of actions) await action();
    expect(await student.act(lowerAllHands, {})).toEqual({ hands: [] });
    expect((await renewed(student)).permissions).toMatchObject({ raiseHand: true, manageParticipants: true, publish: false });
  });

  it('apply in LiveKit to who is in class, and their pages learn it', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await teacher.publish('CAMERA');
    await change(room, { STUDENT: { publishVideo: true }, TEACHER: { publishVideo: false, shareScreen: false } });
    await permits(student, [CAMERA]);
    await permits(teacher, [MICROPHONE]);
    expect((await teacher.inLiveKit())?.tracks).toEqual([]);
    await student.publish('CAMERA');
    await expect(student.publish('MICROPHONE')).rejects.toThrow();
    const rules = { STUDENT: { publishVideo: true }, TEACHER: { publishVideo: false, shareScreen: false } };
    await eventually(async () => expect((await student.updates()).at(-1)?.room?.permissions).toEqual(rules));
    expect(await renewed(student)).toMatchObject({
      permissions: { publish: false, publishVideo: true, publishAudio: false },
      room: { permissions: rules },
    });
    // An older token states what the roles allow, and gives no more than the rows.
    await student.leave();
    await student.connect(student.session.livekitToken);
    await permits(student, [CAMERA]);
    await change(room, { STUDENT: { publishVideo: null }, TEACHER: { publishVideo: null, shareScreen: null } });
    await permits(student, []);
    await permits(teacher, [CAMERA, MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO]);
  });
});

describe('the permissions of a participant', () => {
  it('come before those of the room, in the token and in the session', async () => {
    const room = await fixture.newRoom({ permissions: { STUDENT: { publishAudio: true, chat: false } } });
    const member = await fixture.member(room, 'bob', 'STUDENT', { publishAudio: false, publishVideo: true, chat: true });
    expect(member.session.permissions).toMatchObject({ publishAudio: false, publishVideo: true, publish: false, chat: true });
    await member.connect(member.joinToken);
    await permits(member, [CAMERA]);
    await member.act(sendChatMessage, { text: 'Hello' });
    const other = await fixture.member(room, 'cleo');
    expect(other.session.permissions).toMatchObject({ publishAudio: true, publishVideo: false, chat: false });
  });

  it('are those of the latest join, also for who is connected', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, student] = people;
    const join = (permissions?: PermissionOverrides) => fixture.join(room, student.uid, 'STUDENT', permissions);
    const changedAt = async () => (await student.inLiveKit())?.attributes['rightsChangedAt'];
    await join({ publishVideo: true });
    await permits(student, [CAMERA]);
    const first = await changedAt();
    expect(first).toBeDefined();
    await join({ publishVideo: true });
    expect(await changedAt()).toBe(first);
    await join({ chat: false });
    await permits(student, []);
    expect(await changedAt()).not.toBe(first);
    expect(await refusal(student.act(sendChatMessage, { text: 'Hello' }))).toBe('FORBIDDEN');
    await join();
    await student.act(sendChatMessage, { text: 'Hello' });
    // Without the call, the lists of LiveKit's participants correct what a token from before allows.
    await join({ publishAudio: true });
    const { livekitToken } = await renewed(student);
    await join();
    await student.connect(livekitToken);
    await permits(student, []);
  });

  it('come with what the page leaves out, in the session of the latest join', async () => {
    const room = await fixture.newRoom({ customization: { showLobby: true } });
    const join = (ui?: object) =>
      fixture.asBackend(joinRoom, { roomId: room.roomId, participant: { uid: 'bob', name: 'Bob', role: 'STUDENT', ui } });
    const { token } = await join({ hideChat: true, hideLobby: true });
    const { session } = await ClassMember.open(fixture, room, 'bob', token);
    expect(session).toMatchObject({ ui: { hideChat: true, hideLobby: true }, room: { customization: { showLobby: false } } });
    const later = await ClassMember.open(fixture, room, 'bob', (await join()).token);
    expect(later.session).toMatchObject({ ui: {}, room: { customization: { showLobby: true } } });
    expect(later.session.ui).toEqual({});
  });

  it('cannot be widened by a teacher', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await fixture.join(room, student.uid, 'STUDENT', { publishAudio: false });
    expect(await refusal(teacher.act(allowToSpeak, { uid: student.uid, allowed: true }))).toBe('FORBIDDEN');
    await fixture.join(room, student.uid, 'STUDENT', {});
    await teacher.act(allowToSpeak, { uid: student.uid, allowed: true });
    await permits(student, [MICROPHONE]);
    await fixture.join(room, student.uid, 'STUDENT', { publishAudio: false });
    await permits(student, []);
  });
});
