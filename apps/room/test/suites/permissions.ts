import { randomUUID } from 'node:crypto';
import {
  allowToSpeak,
  changeRole,
  changeRoomInClass,
  classroomRpc,
  closePoll,
  createPoll,
  deleteChatMessage,
  deleteRoom,
  endClass,
  getClassState,
  listChatMessages,
  lowerAllHands,
  lowerHand,
  muteEveryone,
  muteParticipant,
  type Permission,
  raiseHand,
  removeParticipant,
  reportChatMessage,
  type Role,
  ROLE_PERMISSIONS,
  type RpcContract,
  sendChatMessage,
  sendReaction,
  spotlightParticipant,
  votePoll,
} from '@classroom/contracts';
import type { ClassMember } from '../support/class-member.js';
import { nameOf, refusal, type RoomFixture, type NewRoom } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

const ROLES = ['TEACHER', 'STUDENT', 'MODERATOR', 'ADMIN'] as const;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

interface Action {
  contract: RpcContract;
  /** What the participant needs; undefined for what everyone may do. */
  needs?: Permission;
  input: (scene: Scene) => object;
}

interface Scene {
  room: NewRoom;
  pollId: string;
  messageId: string;
}

const target = { uid: 'target' };
const ACTIONS: Record<string, Action> = {
  getClassState: { contract: getClassState, input: () => ({ after: 0 }) },
  listChatMessages: { contract: listChatMessages, input: () => ({ limit: 10 }) },
  raiseHand: { contract: raiseHand, needs: 'raiseHand', input: () => ({ raised: true }) },
  sendChatMessage: { contract: sendChatMessage, needs: 'chat', input: () => ({ text: 'Hello' }) },
  reportChatMessage: { contract: reportChatMessage, input: ({ messageId }) => ({ messageId }) },
  sendReaction: { contract: sendReaction, needs: 'react', input: () => ({ emoji: '👍' }) },
  votePoll: { contract: votePoll, needs: 'answerPolls', input: ({ pollId }) => ({ pollId, option: 0 }) },
  authorize: { contract: classroomRpc.authorize, input: () => ({}) },
  lowerHand: { contract: lowerHand, needs: 'manageParticipants', input: () => target },
  lowerAllHands: { contract: lowerAllHands, needs: 'manageParticipants', input: () => ({}) },
  muteParticipant: { contract: muteParticipant, needs: 'manageParticipants', input: () => ({ ...target, source: 'microphone' }) },
  muteEveryone: { contract: muteEveryone, needs: 'manageParticipants', input: () => ({}) },
  allowToSpeak: { contract: allowToSpeak, needs: 'manageParticipants', input: () => ({ ...target, allowed: true }) },
  spotlightParticipant: { contract: spotlightParticipant, needs: 'manageParticipants', input: () => ({ ...target, shown: true }) },
  deleteChatMessage: { contract: deleteChatMessage, needs: 'manageParticipants', input: ({ messageId }) => ({ messageId }) },
  'changeRoomInClass chat': {
    contract: changeRoomInClass,
    needs: 'manageParticipants',
    input: () => ({ change: { settings: { chat: { mode: 'OFF' } } } }),
  },
  'changeRoomInClass permissions of students': {
    contract: changeRoomInClass,
    needs: 'manageParticipants',
    input: () => ({ change: { settings: { permissions: { STUDENT: { react: false } } } } }),
  },
  'changeRoomInClass chat and title': {
    contract: changeRoomInClass,
    needs: 'changeRoom',
    input: () => ({ change: { title: 'Changed', settings: { chat: { mode: 'OFF' } } } }),
  },
  createPoll: { contract: createPoll, needs: 'managePolls', input: () => ({ question: 'Ready?', options: ['Yes', 'No'] }) },
  closePoll: { contract: closePoll, needs: 'managePolls', input: ({ pollId }) => ({ pollId }) },
  changeRoomInClass: { contract: changeRoomInClass, needs: 'changeRoom', input: () => ({ change: { title: 'Changed' } }) },
  'authorize startRecording': {
    contract: classroomRpc.authorize,
    needs: 'startRecording',
    input: () => ({ permission: 'startRecording' }),
  },
  'authorize stopRecording': { contract: classroomRpc.authorize, needs: 'stopRecording', input: () => ({ permission: 'stopRecording' }) },
  'authorize manageParticipants': {
    contract: classroomRpc.authorize,
    needs: 'manageParticipants',
    input: () => ({ permission: 'manageParticipants' }),
  },
  changeRoleInClass: { contract: changeRole, needs: 'manageParticipants', input: () => ({ ...target, role: 'STUDENT' }) },
  removeParticipant: { contract: removeParticipant, needs: 'manageParticipants', input: () => target },
  endClass: { contract: endClass, needs: 'endClass', input: () => ({}) },
};

/** A created room with a poll, in which every role has a session and no participant is connected. */
async function newScene(): Promise<Scene & { members: Record<Role, ClassMember> }> {
  const room = await fixture.newRoom({ uid: 'owner' });
  const owner = await fixture.member(room, 'owner', 'TEACHER');
  await fixture.join(room, target.uid);
  const { pollId } = await owner.act(createPoll, { question: 'Which?', options: ['a', 'b'] });
  const { id: messageId } = await owner.act(sendChatMessage, { text: 'Welcome' });
  const members = await Promise.all(ROLES.map(async (role) => [role, await fixture.member(room, role.toLowerCase(), role)] as const));
  return { room, pollId, messageId, members: Object.fromEntries(members) as Record<Role, ClassMember> };
}

/** `OK`, or the code of the refusal. */
const outcome = (member: ClassMember, { contract, input }: Action, scene: Scene) =>
  member.act(contract, input(scene) as never).then(
    () => 'OK',
    ({ code }: { code: string }) => code,
  );

describe('a classroom operation is allowed exactly for the roles of the contract', () => {
  it.each(Object.entries(ACTIONS))('%s', async (_, action) => {
    let scene = await newScene();
    for (const role of ROLES) {
      const isAllowed = action.needs === undefined || ROLE_PERMISSIONS[role][action.needs];
      expect([role, await outcome(scene.members[role], action, scene)]).toEqual([role, isAllowed ? 'OK' : 'FORBIDDEN']);
      if (isAllowed && action.contract === endClass) scene = await newScene();
    }
  });
});

describe('a classroom operation is refused', () => {
  let scene: Awaited<ReturnType<typeof newScene>>;
  const expectAll = async (member: ClassMember, code: string, skipped: string[] = []) => {
    const actions = Object.entries(ACTIONS).filter(([name]) => !skipped.includes(name));
    const outcomes = await Promise.all(actions.map(async ([name, action]) => [name, await outcome(member, action, scene)]));
    expect(outcomes).toEqual(actions.map(([name]) => [name, code]));
  };
  beforeEach(async () => {
    scene = await newScene();
  });

  it('for a session that a newer page replaced', async () => {
    await fixture.member(scene.room, 'admin', 'ADMIN');
    await expectAll(scene.members.ADMIN, 'UNAUTHORIZED');
  });

  it('for a removed participant', async () => {
    await fixture.asBackend(removeParticipant, { roomId: scene.room.roomId, uid: 'admin' });
    await expectAll(scene.members.ADMIN, 'UNAUTHORIZED');
  });

  it('for a join token, which has no session', async () => {
    const caller = { ...scene.members.ADMIN.caller, sessionNumber: null };
    for (const [name, { contract, input }] of Object.entries(ACTIONS))
      expect([name, await refusal(fixture.call(contract, { caller, ...input(scene) }))]).toEqual([name, 'UNAUTHORIZED']);
  });

  it('for a participant or a room that does not exist', async () => {
    const { caller } = scene.members.ADMIN;
    for (const stranger of [
      { ...caller, uid: 'stranger' },
      { ...caller, sid: 'RM_0000000000000000' },
    ])
      for (const [name, { contract, input }] of Object.entries(ACTIONS))
        expect([name, await refusal(fixture.call(contract, { caller: stranger, ...input(scene) }))]).toEqual([name, 'UNAUTHORIZED']);
  });

  it('after the class', async () => {
    await fixture.asBackend(deleteRoom, { roomId: scene.room.roomId });
    await expectAll(scene.members.ADMIN, 'ROOM_ENDED');
  });
});

describe('the rights in the row', () => {
  it('decide at the moment of acting, also in a session that is already open', async () => {
    const { room, members } = await newScene();
    const { STUDENT: student } = members;
    const change = (role: Role) => fixture.asBackend(changeRole, { roomId: room.roomId, uid: student.uid, role });
    expect(await refusal(student.act(lowerAllHands, {}))).toBe('FORBIDDEN');
    expect(await change('MODERATOR')).toEqual({ uid: student.uid, role: 'MODERATOR' });
    expect(await student.act(lowerAllHands, {})).toEqual({ hands: [] });
    await change('STUDENT');
    expect(await refusal(student.act(lowerAllHands, {}))).toBe('FORBIDDEN');
  });

  it('return the organization’s room to the service that asked', async () => {
    const { room, members } = await newScene();
    const where = { organizationId: fixture.organizationId, roomId: room.roomId, mayUseAi: true };
    const { STUDENT: student, TEACHER: teacher } = members;
    expect(await student.act(classroomRpc.authorize, {})).toEqual({ ...where, name: nameOf(student.uid) });
    expect(await teacher.act(classroomRpc.authorize, { permission: 'startRecording' })).toEqual({ ...where, name: nameOf(teacher.uid) });
  });

  it('of a poll of another room are none', async () => {
    const [one, other] = [await newScene(), await newScene()];
    expect(await refusal(one.members.TEACHER.act(closePoll, { pollId: other.pollId }))).toBe('POLL_NOT_FOUND');
    expect(await refusal(one.members.STUDENT.act(votePoll, { pollId: other.pollId, option: 0 }))).toBe('POLL_NOT_FOUND');
    expect(await refusal(one.members.TEACHER.act(closePoll, { pollId: randomUUID() }))).toBe('POLL_NOT_FOUND');
  });

  it.each([
    ['lowerHand', lowerHand, {}],
    ['muteParticipant', muteParticipant, { source: 'microphone' }],
    ['allowToSpeak', allowToSpeak, { allowed: true }],
    ['removeParticipant', removeParticipant, {}],
  ] as const)('do not reach an unknown participant: %s', async (_, contract, rest) => {
    const { members } = await newScene();
    expect(await refusal(members.TEACHER.act(contract, { uid: 'unknown', ...rest } as never))).toBe('PARTICIPANT_NOT_FOUND');
  });
});
