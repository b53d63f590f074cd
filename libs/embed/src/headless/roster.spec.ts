import type { Role } from '../protocol.js';
import { Roster } from './roster.js';

const who = (uid: string, role: Role = 'STUDENT') => ({ uid, name: `Name of ${uid}`, role });

function roster() {
  const told: string[] = [];
  return {
    told,
    roster: new Roster({
      joined: ({ uid }) => told.push(`joined ${uid}`),
      left: ({ uid, reason }) => told.push(`left ${uid} ${reason}`),
    }),
  };
}

describe('the other participants', () => {
  it('are reported when they join and leave, not if they were present before us', () => {
    const { roster: others, told } = roster();
    others.found([who('ada', 'TEACHER')]);
    others.joined(who('bob'));
    others.joined(who('bob'));
    others.left('bob');
    others.left('bob');
    expect(told).toEqual(['joined bob', 'left bob left']);
    expect(others.list()).toEqual([who('ada', 'TEACHER')]);
  });

  it('are reported if they joined or left while we were disconnected', () => {
    const { roster: others, told } = roster();
    others.found([who('ada'), who('bob')]);
    others.found([who('ada'), who('eve')]);
    expect(told).toEqual(['left bob left', 'joined eve']);
  });

  it('are reported as removed if they were removed', () => {
    const { roster: others, told } = roster();
    others.found([who('bob')]);
    others.wasRemoved('bob');
    others.wasRemoved('nobody');
    others.left('bob');
    others.joined(who('bob'));
    others.left('bob');
    expect(told).toEqual(['left bob removed', 'joined bob', 'left bob left']);
  });

  it('are collected again after we left', () => {
    const { roster: others, told } = roster();
    others.found([who('ada')]);
    others.clear();
    others.found([who('bob')]);
    expect([told, others.list()]).toEqual([[], [who('bob')]]);
  });
});
