import { Roster, type Who } from './roster.js';

const who = (uid: string): Who => ({ uid, name: uid.toUpperCase(), role: 'STUDENT' });

function follow() {
  const heard: string[] = [];
  const roster = new Roster({ joined: ({ uid }) => heard.push(`+${uid}`), left: ({ uid }) => heard.push(`-${uid}`) });
  return { roster, heard };
}

describe('who comes and goes', () => {
  it('does not tell of those who were there before', () => {
    const { roster, heard } = follow();
    roster.look([who('a'), who('b')]);
    expect(heard).toEqual([]);
  });

  it('tells of each arrival and each leaving once, also over a time without looks', () => {
    const { roster, heard } = follow();
    roster.look([who('a'), who('b')]);
    roster.look([who('a'), who('b')]);
    roster.look([who('b'), who('c')]);
    expect(heard).toEqual(['-a', '+c']);
  });

  it('begins anew with another stay', () => {
    const { roster, heard } = follow();
    roster.look([who('a')]);
    roster.forget();
    roster.look([who('b')]);
    expect(heard).toEqual([]);
  });
});
