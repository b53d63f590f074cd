import type { Toasts } from '../app/toasts.js';
import { createClassStore } from '../class/class-store.js';
import { FakeService, message, flushPromises, START } from '../class/fake-service.js';
import { Chat } from './chat.js';

describe('the participant’s own chat messages', () => {
  beforeEach(() => jest.useFakeTimers({ now: START }));
  afterEach(() => jest.useRealTimers());

  async function inClass() {
    const service = new FakeService();
    const store = createClassStore({ api: service.api, now: () => Date.now(), seesAll: () => false });
    const chat = new Chat({ api: service.api, classStore: store, toasts: {} as Toasts });
    store.onUpdate((update) => chat.onClassUpdate(update));
    store.start();
    await service.respondState({ version: 5 });
    const sending = chat.outbox;
    const outbox = () => sending.get().messages.map(({ text, failure }) => [text, failure]);
    const idOf = (text: string) => sending.get().messages.find((outgoing) => outgoing.text === text)?.id ?? '';
    return { service, store, sending, outbox, idOf };
  }

  it('are shown immediately, then as the class stores them', async () => {
    const { service, store, sending, outbox, idOf } = await inClass();
    sending.add('hello');
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
    const { service, store, sending, outbox, idOf } = await inClass();
    sending.add('hello');
    const id = idOf('hello');
    await flushPromises();
    store.receive({ base: 5, version: 6, messages: [message(6, id)] });
    expect(outbox()).toEqual([]);
    await service.request('/v1/classroom/chat').respond(message(6, id));
    expect(store.getSnapshot().messages.map((known) => known.id)).toEqual([id]);
  });

  it('are sent one after the other', async () => {
    const { service, sending } = await inClass();
    sending.add('one');
    sending.add('two');
    await flushPromises();
    expect(service.pending.map(({ body }) => body)).toMatchObject([{ text: 'one' }]);
    await service.request('/v1/classroom/chat').respond(message(6));
    expect(service.pending.map(({ body }) => body)).toMatchObject([{ text: 'two' }]);
  });

  it('are kept with the reason if they fail, do not delay others, and can be sent again with the same id', async () => {
    const { service, sending, outbox, idOf } = await inClass();
    sending.add('one');
    sending.add('two');
    const id = idOf('one');
    await flushPromises();
    await service.request('/v1/classroom/chat').fail('RATE_LIMITED');
    expect(outbox()).toEqual([
      ['one', 'RATE_LIMITED'],
      ['two', undefined],
    ]);
    await service.request('/v1/classroom/chat').respond(message(6, idOf('two')));
    sending.retry(id);
    sending.retry(id);
    await flushPromises();
    expect(outbox()).toEqual([['one', undefined]]);
    expect(service.pending).toHaveLength(1);
    expect(service.request('/v1/classroom/chat').body).toEqual({ text: 'one', id });
  });

  it('can be discarded', async () => {
    const { service, sending, outbox, idOf } = await inClass();
    sending.add('one');
    await flushPromises();
    await service.request('/v1/classroom/chat').fail('NO_ANSWER');
    sending.discard(idOf('one'));
    expect(outbox()).toEqual([]);
  });
});
