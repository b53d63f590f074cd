import fc from 'fast-check';
import { inParallel } from '@classroom/platform';
import { AiFixture, messagesSentTo, whole } from './support/ai-fixture.js';

/** ISOLATION_CALLS=10000 takes some minutes. */
const CALLS = Number(process.env['ISOLATION_CALLS'] ?? 500);
/** Marks whose text it is, in words that are no participant's name. */
const CANARY = /canary:(\w+):([\w-]+):(w\d):(\w+)/g;

interface Call {
  organization: string;
  kind: 'agent' | 'tutor';
  place: number;
  who: number;
}

describe('the prompt of a model', () => {
  let fixture: AiFixture;
  beforeAll(async () => {
    fixture = await AiFixture.start();
  });
  afterAll(() => fixture?.stop());

  it(`contains no text of other organizations, chats or students, in ${CALLS} mixed calls`, async () => {
    const organizations = ['orgA', 'orgB', 'orgC'];
    const rooms = new Map(organizations.map((organizationId) => [organizationId, [0, 1, 2].map(() => fixture.peers.room(organizationId))]));
    for (const { sid } of [...rooms.values()].flat())
      fixture.peers.names.set(sid, ['Pupil Nought', 'Pupil Uno', 'Pupil Duo', 'Pupil Tres']);
    const names = ['Nought', 'Uno', 'Duo', 'Tres'];
    fixture.model.behave(({ body }) => ({ answer: `Heard ${JSON.stringify(body['messages']).match(CANARY)?.at(-1)}.` }));
    const call: fc.Arbitrary<Call> = fc.record({
      organization: fc.constantFrom(...organizations),
      kind: fc.constantFrom('agent' as const, 'tutor' as const),
      place: fc.nat({ max: 2 }),
      who: fc.nat({ max: 3 }),
    });
    const calls = fc.sample(call, { numRuns: CALLS, seed: 42 });
    await inParallel(calls, 12, async ({ organization, kind, place, who }) => {
      // All organizations use the same chatIds, uids and room numbers.
      const canary = `canary:${organization}:${kind}-${place}:w${who}:${Math.random().toString(36).slice(2)}`;
      const roomId = rooms.get(organization)?.[place]?.roomId ?? '';
      const text = `I am ${names[who]}, pupil_${who}, and I ask ${canary}`;
      if (kind === 'agent') await whole(fixture.agent({ organizationId: organization, chatId: `chat-${place}`, message: text }));
      else await whole(fixture.tutor({ organizationId: organization, roomId, studentUid: `pupil_${who}`, text }));
    });
    let foreign = 0;
    let ofClass = 0;
    for (const request of fixture.model.asked()) {
      const canaries = [...messagesSentTo(request).matchAll(CANARY)];
      const [, organization, place = '', who = ''] = canaries.at(-1) ?? [];
      const isTutor = place.startsWith('tutor');
      for (const [, ofOrganization, ofPlace = '', ofWho] of canaries) {
        const isOwnEarlier = isTutor && ofPlace.startsWith('tutor') && ofWho === who;
        if (ofOrganization !== organization || !(ofPlace === place || isOwnEarlier)) foreign += 1;
        if (isTutor && ofPlace === place && ofWho !== who) ofClass += 1;
      }
      if (!isTutor) continue;
      const others = names.map((name, number) => `${name}|pupil_${number}`).filter((_name, number) => `w${number}` !== who);
      const { content } = (request.body['messages'] as { content: string }[])[0] ?? { content: '' };
      expect(content).not.toMatch(new RegExp(others.join('|')));
    }
    expect(ofClass).toBeGreaterThan(0);
    expect(fixture.model.asked().length).toBe(CALLS);
    expect(foreign).toBe(0);
  });
});
