import { Roster, type ParticipantInfo } from './roster.js';

const participant = (uid: string): ParticipantInfo => ({ uid, name: uid.toUpperCase(), role: 'STUDENT' });

function setup() {
  const events: string[] = [];
  const roster = new Roster({ onJoined: ({ uid }) => events.push(`+${uid}`), onLeft: ({ uid }) => events.push(`-${uid}`) });
  return { roster, events };
}

describe('the arrivals and departures', () => {
  it('leave out participants who were present before', () => {
    const { roster, events } = setup();
    roster.update([participant('a'), participant('b')]);
    expect(events).toEqual([]);
  });

  it('are reported once each, also after missed updates', () => {
    const { roster, events } = setup();
    roster.update([participant('a'), participant('b')]);
    roster.update([participant('a'), participant('b')]);
    roster.update([participant('b'), participant('c')]);
    expect(events).toEqual(['-a', '+c']);
  });

  it('start again with the next stay', () => {
    const { roster, events } = setup();
    roster.update([participant('a')]);
    roster.reset();
    roster.update([participant('b')]);
    expect(events).toEqual([]);
  });
});
