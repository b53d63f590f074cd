import { Roster, type Who } from './roster.js';

const who = (uid: string): Who => ({ uid, name: uid.toUpperCase(), role: 'STUDENT' });

function follow() {
  const heard: string[] = [];
  const roster = new Roster({ joined: ({ uid }) => heard.push(`+${uid}`), left: ({ uid }) => heard.push(`-${uid}`) });
  return { roster, heard };
}

describe('the arrivals and departures', () => {
  it('leave out participants who were present before', () => {
    const { roster, heard } = follow();
    roster.look([who('a'), who('b')]);
    expect(heard).toEqual([]);
  });

  it('are reported once each, also after a time without a look', () => {
    const { roster, heard } = follow();
    roster.look([who('a'), who('b')]);
    roster.look([who('a'), who('b')]);
    roster.look([who('b'), who('c')]);
    expect(heard).toEqual(['-a', '+c']);
  });

  it('start again with the next stay', () => {
    const { roster, heard } = follow();
    roster.look([who('a')]);
    roster.forget();
    roster.look([who('b')]);
    expect(heard).toEqual([]);
  });
});
