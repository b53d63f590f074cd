import type { ChatMessage, ClassUpdate } from '@classroom/contracts';
import { createClassStore, type ClassStore } from './class-store.js';
import { at, FakeService, hand, message, poll, ROOM, flushPromises, user, START } from './fake-service.js';

describe('the page’s copy of the class', () => {
  let service: FakeService;
  let store: ClassStore;
  let isTeacher: boolean;
  const now = () => Date.now();
  const hands = () => store.getSnapshot().hands.map(({ uid }) => uid);
  const versions = () => store.getSnapshot().messages.map(({ version }) => version);

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    isTeacher = false;
    service = new FakeService();
    store = createClassStore({ api: service.api, now, seesAll: () => isTeacher });
  });
  afterEach(() => {
    store.stop();
    jest.useRealTimers();
  });

  /** Enters the class and answers the first request with a state at version 5. */
  async function inClass(state: Parameters<FakeService['respondState']>[0] = {}): Promise<void> {
    store.start();
    await service.respondState({ version: 5, room: ROOM, hands: [], messages: [], polls: [], ...state });
  }

  it('requests the whole state on entering', async () => {
    await inClass({ hands: [hand('ada')], messages: [message(3), message(2)], ownVotes: { p1: 1 } });
    expect(store.getSnapshot()).toMatchObject({ version: 5, isLoaded: true, room: ROOM, ownVotes: { p1: 1 }, hasOlderMessages: false });
    expect(hands()).toEqual(['ada']);
    expect(versions()).toEqual([2, 3]);
  });

  it('accepts the first answer of a class without any change', async () => {
    await inClass({ version: 0 });
    expect(store.getSnapshot()).toMatchObject({ version: 0, isLoaded: true, room: ROOM });
  });

  it('keeps a push that arrived before an older first answer', async () => {
    store.start();
    store.receive({ base: 0, version: 7, hands: [hand('ada')] });
    await service.respondState({ version: 6, hands: [] });
    expect(hands()).toEqual(['ada']);
    expect(store.getSnapshot().version).toBe(7);
  });

  it('applies a push that continues its version, and one that overlaps it', async () => {
    await inClass();
    store.receive({ base: 5, version: 6, messages: [message(6)] });
    store.receive({ base: 4, version: 8, messages: [message(6), message(8), message(7)] });
    expect(versions()).toEqual([6, 7, 8]);
  });

  it('is not changed by a repeated push, nor by an older one', async () => {
    await inClass({ hands: [hand('ada')] });
    const before = store.getSnapshot();
    store.receive({ base: 4, version: 5, hands: [] });
    store.receive({ base: 0, version: 3, hands: [] });
    expect(store.getSnapshot()).toBe(before);
  });

  it('passes each update on once, in the order of their versions', async () => {
    const passed: number[] = [];
    store.onUpdate(({ version }) => void passed.push(version));
    await inClass();
    for (const version of [6, 6, 4, 7]) store.receive({ base: version - 1, version, hands: [] });
    expect(passed).toEqual([5, 6, 7]);
  });

  it('keeps the same objects for parts that an update does not contain', async () => {
    await inClass({ messages: [message(1)], polls: [poll('p1')] });
    const before = store.getSnapshot();
    store.receive({ base: 5, version: 6, hands: [hand('ada')], messages: [message(1)], polls: [poll('p1')] });
    const after = store.getSnapshot();
    expect(after).not.toBe(before);
    expect(after.messages).toBe(before.messages);
    expect(after.polls).toBe(before.polls);
  });

  it.each<[string, ClassUpdate]>([
    ['a gap', { base: 7, version: 8 }],
    ['a push that is marked as partial', { base: 5, version: 6, isPartial: true }],
  ])('requests the state once, within a second after %s', async (_, update) => {
    await inClass();
    store.receive(update);
    store.receive(update);
    expect(service.pending).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(service.pending).toHaveLength(1);
    expect(service.request('/v1/classroom/state').path).toBe('/v1/classroom/state?after=5');
    await service.respondState({ base: 5, version: 8, hands: [hand('bob')] });
    expect(hands()).toEqual(['bob']);
  });

  it('is the same for any order of pushes and answers', async () => {
    const updates: ClassUpdate[] = [
      { base: 5, version: 6, messages: [message(6)], hands: [hand('ada')] },
      { base: 6, version: 7, polls: [poll('p1', [1, 0])] },
      { base: 7, version: 8, messages: [message(8)], hands: [], polls: [poll('p1', [1, 1], 'closed')] },
    ];
    const whole = { base: 5, version: 8, hands: [], messages: [message(6), message(8)], polls: [poll('p1', [1, 1], 'closed')] };
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      service = new FakeService();
      store = createClassStore({ api: service.api, now, seesAll: () => isTeacher });
      await inClass();
      for (const index of order) store.receive(updates[index]!);
      await jest.advanceTimersByTimeAsync(1_000);
      const from = store.getSnapshot().version;
      if (from < 8) await service.respondState({ ...whole, base: from });
      expect({ versions: versions(), hands: hands(), polls: store.getSnapshot().polls }).toEqual({
        versions: [6, 8],
        hands: [],
        polls: [poll('p1', [1, 1], 'closed')],
      });
      store.stop();
    }
  });

  it('requests the state about every half minute, even without changes', async () => {
    await inClass();
    await jest.advanceTimersByTimeAsync(23_000);
    expect(service.pending).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(14_000);
    expect(service.pending).toHaveLength(1);
  });

  it('retries with growing pauses while the server fails', async () => {
    store.start();
    const pauses: number[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      await service.request('/v1/classroom/state').fail('NO_ANSWER');
      const since = Date.now();
      while (service.pending.length === 0) await jest.advanceTimersByTimeAsync(100);
      pauses.push(Date.now() - since);
    }
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBeGreaterThan(10_000);
    await service.respondState({ version: 5 });
    expect(store.getSnapshot().isLoaded).toBe(true);
  });

  it('requests the state again if a refresh is requested during a request: its answer may be too old', async () => {
    store.start();
    const refreshed = store.refresh();
    void store.refresh();
    await service.respondState({ version: 5 });
    expect(service.pending).toHaveLength(1);
    await service.respondState({ base: 5, version: 6, hands: [hand('ada')] });
    await refreshed;
    expect(hands()).toEqual(['ada']);
    expect(service.pending).toHaveLength(0);
  });

  it('does nothing while stopped', async () => {
    store.receive({ base: 0, version: 1, hands: [hand('ada')] });
    await store.refresh();
    store.start();
    const request = service.request('/v1/classroom/state');
    store.stop();
    await request.respond({ base: 0, version: 5, ownVotes: {}, hands: [hand('ada')] });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(store.getSnapshot()).toMatchObject({ version: 0, isLoaded: false, hands: [] });
    expect(service.pending).toHaveLength(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('continues from its version when it is started again', async () => {
    await inClass();
    store.stop();
    store.start();
    expect(service.request('/v1/classroom/state').path).toBe('/v1/classroom/state?after=5');
  });

  describe('chat', () => {
    const deleted = (version: number): ChatMessage => ({ ...message(version), text: '', deletedAt: at(60), deletedBy: 'tom' });

    it('replaces a deleted message, for good', async () => {
      await inClass({ messages: [message(2), message(3)] });
      store.receive({ base: 5, version: 6, messages: [deleted(2)] });
      expect(store.getSnapshot().messages).toEqual([deleted(2), message(3)]);
      // An answer that was sent before the deletion.
      store.receive({ base: 5, version: 7, messages: [message(2), { ...message(3), reports: 1 }] });
      expect(store.getSnapshot().messages).toEqual([deleted(2), { ...message(3), reports: 1 }]);
      store.receive({ base: 7, version: 8, messages: [message(3)] });
      expect(store.getSnapshot().messages).toEqual([deleted(2), { ...message(3), reports: 1 }]);
    });

    it('ignores a deletion among older messages that are not loaded yet, which would hide those in between', async () => {
      await inClass({ version: 300, messages: Array.from({ length: 200 }, (_, index) => message(101 + index)) });
      store.receive({ base: 300, version: 301, messages: [deleted(50), deleted(200)] });
      expect(versions()[0]).toBe(101);
      expect(store.getSnapshot().messages[99]).toEqual(deleted(200));
    });

    it.each<[string, boolean, ChatMessage[], ClassUpdate['hidden'], number]>([
      ['a teacher', true, [], 'TEACHERS', 1],
      ['a student', false, [message(2)], 'TEACHERS', 0],
      ['the author of a private message, where another is sent', false, [{ ...message(2), audience: 'TEACHERS' }], 'TEACHERS', 0],
      ['the author of a private message, where one is deleted', false, [{ ...message(2), audience: 'TEACHERS' }], 'AUTHORS', 1],
      ['a student without private messages, where one is deleted', false, [message(2)], 'AUTHORS', 0],
    ])('is requested by %s if a push says that others get more', async (_, isTeacherNow, messages, hidden, requests) => {
      isTeacher = isTeacherNow;
      await inClass({ messages });
      store.receive({ base: 5, version: 6, messages: [], hidden });
      await jest.advanceTimersByTimeAsync(1_000);
      expect(service.pending).toHaveLength(requests);
      expect(store.getSnapshot().version).toBe(requests === 1 ? 5 : 6);
    });

    it('reports older messages after a full page, and loads them', async () => {
      await inClass({ version: 300, messages: Array.from({ length: 200 }, (_, index) => message(101 + index)) });
      expect(store.getSnapshot().hasOlderMessages).toBe(true);
      const loaded = Promise.all([store.loadOlderMessages(), store.loadOlderMessages()]);
      expect(service.pending).toHaveLength(1);
      await service.request('/v1/classroom/chat?before=101').respond({ messages: [message(99), message(100)], hasMore: false });
      await loaded;
      expect(versions().slice(0, 3)).toEqual([99, 100, 101]);
      expect(store.getSnapshot().hasOlderMessages).toBe(false);
    });

    it('has no gap after an absence that was too long for one answer', async () => {
      await inClass({ messages: [message(4), message(5)] });
      void store.refresh();
      const news = Array.from({ length: 200 }, (_, index) => message(101 + index));
      await service.respondState({ base: 5, version: 300, messages: news });
      expect(versions()[0]).toBe(101);
      expect(store.getSnapshot().hasOlderMessages).toBe(true);
    });

    it('has no gap if long messages filled the answer', async () => {
      await inClass({ messages: [message(4), message(5)] });
      void store.refresh();
      await service.respondState({ base: 5, version: 300, messages: [message(299), message(300)], hasOlderMessages: true });
      expect(versions()).toEqual([299, 300]);
      expect(store.getSnapshot().hasOlderMessages).toBe(true);
    });
  });

  describe('polls', () => {
    it('count a vote immediately', async () => {
      await inClass({ polls: [poll('p1')] });
      const voted = store.vote('p1', 1);
      await service.request('/v1/classroom/polls/p1/vote').respond({ poll: poll('p1', [0, 1]), option: 1 });
      await voted;
      expect(store.getSnapshot()).toMatchObject({ ownVotes: { p1: 1 }, polls: [{ totalVotes: 1 }] });
    });

    it('keep newer counts if an answer arrives late', async () => {
      await inClass({ polls: [poll('p1')] });
      const voted = store.vote('p1', 1);
      store.receive({ base: 5, version: 9, polls: [poll('p1', [3, 1], 'closed')] });
      await service.request('/v1/classroom/polls/p1/vote').respond({ poll: poll('p1', [0, 1]), option: 1 });
      await voted;
      expect(store.getSnapshot().polls).toEqual([poll('p1', [3, 1], 'closed')]);
    });

    it('request the state when a vote is refused', async () => {
      await inClass({ polls: [poll('p1')] });
      const refused = expect(store.vote('p1', 1)).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
      await service.request('/v1/classroom/polls/p1/vote').fail('ALREADY_VOTED');
      await refused;
      await jest.advanceTimersByTimeAsync(1_000);
      await service.respondState({ base: 5, version: 5, ownVotes: { p1: 0 } });
      expect(store.getSnapshot().ownVotes).toEqual({ p1: 0 });
    });
  });

  describe('the participant’s own hand', () => {
    const self = user('ada');

    it('is shown as raised immediately, behind the others, until the class lowers it', async () => {
      await inClass({ hands: [hand('bob')] });
      const raised = store.raiseHand(true, self);
      expect(hands()).toEqual(['bob', 'ada']);
      await flushPromises();
      await service.request('/v1/classroom/hand').respond({ hands: [] });
      await raised;
      store.receive({ base: 5, version: 6, hands: [hand('bob'), hand('ada')] });
      await jest.advanceTimersByTimeAsync(5_000);
      expect(hands()).toEqual(['bob', 'ada']);
      store.receive({ base: 6, version: 7, hands: [hand('bob')] });
      expect(hands()).toEqual(['bob']);
    });

    it('is lowered again if raising it is refused', async () => {
      await inClass();
      const refused = expect(store.raiseHand(true, self)).rejects.toMatchObject({ code: 'NO_ANSWER' });
      await flushPromises();
      await service.request('/v1/classroom/hand').fail('NO_ANSWER');
      await refused;
      expect(hands()).toEqual([]);
    });

    it('follows the participant’s last action, whatever pushes arrive meanwhile', async () => {
      await inClass();
      const [up, down] = [store.raiseHand(true, self), store.raiseHand(false, self)];
      await flushPromises();
      expect(service.pending).toHaveLength(1);
      await service.request('/v1/classroom/hand').respond({ hands: [] });
      await up;
      store.receive({ base: 5, version: 6, hands: [hand('ada')] });
      expect(hands()).toEqual([]);
      await service.request('/v1/classroom/hand').respond({ hands: [] });
      await down;
      store.receive({ base: 6, version: 7, hands: [] });
      expect(hands()).toEqual([]);
    });

    it('is lowered after a while if the class lowered it before its raising was confirmed', async () => {
      await inClass();
      const raised = store.raiseHand(true, self);
      await flushPromises();
      await service.request('/v1/classroom/hand').respond({ hands: [] });
      await raised;
      store.receive({ base: 5, version: 7, hands: [] });
      expect(hands()).toEqual(['ada']);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(hands()).toEqual([]);
    });
  });

  it('requests the state if no push follows the participant’s own action', async () => {
    await inClass();
    store.expectChange(5);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(service.pending).toHaveLength(1);
    await service.respondState({ base: 5, version: 6 });
    store.expectChange(5);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(service.pending).toHaveLength(0);
  });
});
