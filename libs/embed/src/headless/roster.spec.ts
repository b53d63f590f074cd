import type { Role } from '../protocol.js';
import { Roster } from './roster.js';

const participant = (uid: string, role: Role = 'STUDENT') => ({ uid, name: `Name of ${uid}`, role });

function roster() {
  const reported: string[] = [];
  return {
    reported,
    roster: new Roster({
      onJoined: ({ uid }) => reported.push(`joined ${uid}`),
      onLeft: ({ uid, reason }) => reported.push(`left ${uid} ${reason}`),
    }),
  };
}

describe('the other participants', () => {
  it('are reported when they join and leave, not if they were present before us', () => {
    const { roster: others, reported } = roster();
    others.setParticipants([participant('ada', 'TEACHER')]);
    others.addParticipant(participant('bob'));
    others.addParticipant(participant('bob'));
    others.removeParticipant('bob');
    others.removeParticipant('bob');
    expect(reported).toEqual(['joined bob', 'left bob left']);
    expect(others.list()).toEqual([participant('ada', 'TEACHER')]);
  });

  it('are reported if they joined or left while we were disconnected', () => {
    const { roster: others, reported } = roster();
    others.setParticipants([participant('ada'), participant('bob')]);
    others.setParticipants([participant('ada'), participant('eve')]);
    expect(reported).toEqual(['left bob left', 'joined eve']);
  });

  it('are reported as removed if they were removed', () => {
    const { roster: others, reported } = roster();
    others.setParticipants([participant('bob')]);
    others.markRemoved('bob');
    others.markRemoved('unknown');
    others.removeParticipant('bob');
    others.addParticipant(participant('bob'));
    others.removeParticipant('bob');
    expect(reported).toEqual(['left bob removed', 'joined bob', 'left bob left']);
  });

  it('are collected again after we left', () => {
    const { roster: others, reported } = roster();
    others.setParticipants([participant('ada')]);
    others.clear();
    others.setParticipants([participant('bob')]);
    expect([reported, others.list()]).toEqual([[], [participant('bob')]]);
  });
});
