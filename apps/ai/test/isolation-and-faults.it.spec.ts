import type { AiEvent } from '@classroom/contracts';
import { inParallel } from '@classroom/platform';
import { byForm, sleep } from '@classroom/testing';
import fc from 'fast-check';
import { AiFixture, messagesSentTo, newOrganizationId, whole } from './support/ai-fixture.js';

/** ISOLATION_CALLS=10000 takes some minutes. */
const CALLS = Number(process.env['ISOLATION_CALLS'] ?? byForm({ short: 150, long: 500 }));
/** Marks whose text it is, in words that are no participant's name. */
const CANARY = /canary:(\w+):([\w-]+):(w\d):(\w+)/g;

interface Call {
  organization: string;
  kind: 'agent' | 'tutor';
  place: number;
  who: number;
}

let fixture: AiFixture;
beforeAll(async () => {
  fixture = await AiFixture.start();
});
afterAll(() => fixture?.stop());
beforeEach(() => fixture.model.reset());

describe('the prompt of a model', () => {
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

describe('the agent under faults', () => {
  it('continues the chat after its process was killed during an answer', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(400), tokenDelayMs: 50 });
    const stream = fixture.agent({ organizationId, message: 'A long story' });
    await stream.next();
    const ai = fixture.stack.app('ai');
    await ai.kill();
    stream.return(undefined).catch(() => undefined);
    await ai.start();
    fixture.model.behave({ answer: 'Here I am.' });
    const { begun } = await whole(fixture.agent({ organizationId, message: 'Are you there?' }));
    expect(begun.dialogIndex).toBe(1);
    expect((await fixture.turns(organizationId)).map(({ state }) => state)).toEqual(['cut_off', 'finished']);
    expect((await fixture.usageRows(organizationId)).map(({ outcome, model }) => [outcome, model])).toEqual([
      ['cut_off', 'chat-model'],
      ['finished', 'chat-model'],
    ]);
  });

  it('waits for a restarting database before it sends the last event', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(20), tokenDelayMs: 50 });
    const stream = fixture.agent({ organizationId });
    await stream.next();
    const postgres = fixture.stack.part('postgres');
    await postgres.stop('SIGINT');
    const restarted = sleep(500).then(() => postgres.start());
    let last: AiEvent | undefined;
    for await (const event of stream) last = event;
    await restarted;
    expect(last?.type).toBe('usage');
    expect((await fixture.usageRows(organizationId)).map(({ outcome }) => outcome)).toEqual(['finished']);
  });

  it('completes running answers when it is stopped gracefully', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(60), tokenDelayMs: 40 });
    const stream = fixture.agent({ organizationId });
    await stream.next();
    const ai = fixture.stack.app('ai');
    const stopped = ai.stop();
    let last: AiEvent | undefined;
    for await (const event of stream) last = event;
    expect(last?.type).toBe('usage');
    await stopped;
    expect((await fixture.usageRows(organizationId)).map(({ outcome }) => outcome)).toEqual(['finished']);
    await ai.start();
  });
});
