import { createClassStore } from './class-store.js';
import { FakeService, message, flushPromises, START } from './fake-service.js';

describe('the participant’s own chat messages', () => {
  beforeEach(() => jest.useFakeTimers({ now: START }));
  afterEach(() => jest.useRealTimers());

  async function inClass() {
    const service = new FakeService();
    const store = createClassStore({ api: service.api, now: () => Date.now(), seesAll: () => false });
    store.start();
    await service.respondState({ version: 5 });
    const outbox = () => store.getSnapshot().outbox.map(({ text, failure }) => [text, failure]);
    const idOf = (text: string) => store.getSnapshot().outbox.find((outgoing) => outgoing.text === text)?.id ?? '';
    return { service, store, outbox, idOf };
  }

  it('are shown immediately, then as the class stores them', async () => {
    const { service, store, outbox, idOf } = await inClass();
    store.sendMessage('hello');
    const id = idOf('hello');
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    await flushPromises();
    const request = service.request('/v1/classroom/chat');
    expect(request.body).toEqual({ text: 'hello', id });
    await request.respond(message(6, id));
    expect(outbox()).toEqual([]);
    store.receive({ base: 5, version: 6, messages: [message(6, id)] });
    expect(store.getSnapshot().messages).toHaveLength(1);
  });

  it('are not shown twice if the push arrives before the answer', async () => {
    const { service, store, outbox, idOf } = await inClass();
    store.sendMessage('hello');
    const id = idOf('hello');
    await flushPromises();
    store.receive({ base: 5, version: 6, messages: [message(6, id)] });
    expect(outbox()).toEqual([]);
    await service.request('/v1/classroom/chat').respond(message(6, id));
    expect(store.getSnapshot().messages.map((known) => known.id)).toEqual([id]);
  });

  it('are sent one after the other', async () => {
    const { service, store } = await inClass();
    store.sendMessage('one');
    store.sendMessage('two');
    await flushPromises();
    expect(service.pending.map(({ body }) => body)).toMatchObject([{ text: 'one' }]);
    await service.request('/v1/classroom/chat').respond(message(6));
    expect(service.pending.map(({ body }) => body)).toMatchObject([{ text: 'two' }]);
  });

  it('are kept with the reason if they fail, do not delay others, and can be sent again with the same id', async () => {
    const { service, store, outbox, idOf } = await inClass();
    store.sendMessage('one');
    store.sendMessage('two');
    const id = idOf('one');
    await flushPromises();
    await service.request('/v1/classroom/chat').fail('RATE_LIMITED');
    expect(outbox()).toEqual([
      ['one', 'RATE_LIMITED'],
      ['two', undefined],
    ]);
    await service.request('/v1/classroom/chat').respond(message(6, idOf('two')));
    store.retryMessage(id);
    store.retryMessage(id);
    await flushPromises();
    expect(outbox()).toEqual([['one', undefined]]);
    expect(service.pending).toHaveLength(1);
    expect(service.request('/v1/classroom/chat').body).toEqual({ text: 'one', id });
  });

  it('can be discarded', async () => {
    const { service, store, outbox, idOf } = await inClass();
    store.sendMessage('one');
    await flushPromises();
    await service.request('/v1/classroom/chat').fail('NO_ANSWER');
    store.discardMessage(idOf('one'));
    expect(outbox()).toEqual([]);
  });
});
