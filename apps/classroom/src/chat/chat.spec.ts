import type { ChatMessage } from '@classroom/contracts';
import type { Toasts } from '../app/toasts.js';
import { createClassStore, type ClassStore } from '../class/class-store.js';
import { FakeService, flushPromises, message as newMessage, START } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT } from '../class/snapshot.js';
import { announceReports, Chat } from './chat.js';
import { isSameGroup, groupMessages, splitLinks } from './messages.js';

const message = (id: string, uid: string, minute: number): ChatMessage => ({
  id,
  uid,
  name: uid,
  role: 'STUDENT',
  text: id,
  sentAt: `2026-09-01T08:${String(minute).padStart(2, '0')}:00.000Z`,
  version: minute,
});

describe('groups of messages', () => {
  it('contain the consecutive messages of one person', () => {
    const messages = [message('a', 'ada', 0), message('b', 'ada', 4), message('c', 'bob', 4), message('d', 'ada', 4)];
    expect(groupMessages(messages).map((group) => group.map(({ id }) => id).join(''))).toEqual(['ab', 'c', 'd']);
  });

  it('end after five minutes, because the shown time would be wrong', () => {
    expect(groupMessages([message('a', 'ada', 0), message('b', 'ada', 5)])).toHaveLength(2);
  });

  it('are equal if their messages are', () => {
    const [a, b] = [message('a', 'ada', 0), message('b', 'ada', 1)];
    expect(isSameGroup([a, b], [a, b])).toBe(true);
    expect(isSameGroup([a], [a, b])).toBe(false);
  });
});

describe('links in a message', () => {
  const links = (text: string) => splitLinks(text).flatMap(({ text, href }) => (href ? [text] : []));
  const whole = (text: string) =>
    splitLinks(text)
      .map(({ text }) => text)
      .join('');

  it.each([
    ['see https://school.example/a?b=1#c.', ['https://school.example/a?b=1#c']],
    ['(https://school.example/a_(b)) and http://x.example!', ['https://school.example/a_(b)', 'http://x.example']],
    ['https://school.example/ä/漢字', ['https://school.example/ä/漢字']],
    ['“https://a.example”, »https://b.example«', ['https://a.example', 'https://b.example']],
  ])('are found in %s', (text, expected) => {
    expect(links(text)).toEqual(expected);
    expect(whole(text)).toBe(text);
  });

  it.each([
    ['Chinese', '见 https://ex.org/a，谢谢。另见https://ex.org/b（注释）和「https://ex.org/c」、https://ex.org/d……', ['a', 'b', 'c', 'd']],
    ['Chinese, no mark', '请打开https://ex.org/a谢谢 https://ex.org/b——好', ['a', 'b']],
    ['Chinese brackets', '（https://ex.org/a）【https://ex.org/b】《https://ex.org/c》', ['a', 'b', 'c']],
    ['full width', 'https://ex.org/a！https://ex.org/b？https://ex.org/c：https://ex.org/d；', ['a', 'b', 'c', 'd']],
    ['Japanese', 'https://ex.org/aを見てください。https://ex.org/bと、https://ex.org/c･', ['a', 'b', 'c']],
    ['Korean', 'https://ex.org/a를 보세요. https://ex.org/b로,', ['a', 'b']],
    ['Thai', 'ดูที่https://ex.org/aครับ', ['a']],
    ['Khmer, Lao and Burmese', 'https://ex.org/a។ https://ex.org/bគឺ https://ex.org/cແລະ https://ex.org/d။', ['a', 'b', 'c', 'd']],
    ['Arabic', 'انظر https://ex.org/a، و https://ex.org/b؛ https://ex.org/c؟ ﴿https://ex.org/d﴾', ['a', 'b', 'c', 'd']],
    ['Urdu and Persian', 'https://ex.org/a۔ «https://ex.org/b»', ['a', 'b']],
    ['Hindi', 'https://ex.org/a। https://ex.org/b॥', ['a', 'b']],
    ['Hebrew', 'https://ex.org/a\u200f, https://ex.org/b׃', ['a', 'b']],
    [
      'Armenian, Ethiopic, Tibetan and Greek',
      'https://ex.org/a։ https://ex.org/b። https://ex.org/c། https://ex.org/d\u037e',
      ['a', 'b', 'c', 'd'],
    ],
    ['French, German and Spanish', '« https://ex.org/a » „https://ex.org/b“ ¿https://ex.org/c? https://ex.org/d…', ['a', 'b', 'c', 'd']],
  ])('end before the punctuation and the sentence: %s', (_, text, paths) => {
    expect(links(text)).toEqual(paths.map((path) => `https://ex.org/${path}`));
    expect(whole(text)).toBe(text);
  });

  it.each([
    'https://例え.テスト/パス',
    'https://sony公司.com/第2章?q=東京&b=スター・ウォーズ#漢字',
    'https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)',
    'https://한국.kr/한글',
    'https://köln.example/straße',
    'https://пример.рф/путь/страница',
    'https://مثال.إختبار/صفحة',
    'https://उदाहरण.परीक्षा/पृष्ठ',
    'https://ตัวอย่าง.ไทย/หน้า',
    'https://i❤.ws/👩‍🏫',
    'https://fr.wikipedia.org/wiki/L’Équipe',
    'https://user:word@ex.org:8443/a-b_c~d;e=f/%E6%9D%B1',
    'http://[2001:db8::1]/',
    'http://localhost:3000/a',
  ])('are international: %s', (address) => expect(links(`${address} ${address}.`)).toEqual([address, address]));

  it('end where a domain name does', () => {
    expect(links('https://ex.org谢谢 https://ex.orgです。https://例え.jpを http://ex.org/')).toEqual([
      'https://ex.org',
      'https://ex.org',
      'https://例え.jp',
      'http://ex.org/',
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,hi', 'ftp://a.example', 'school.example', 'https://', '<a href="x">y</a>'])(
    'are not made from %s',
    (text) => {
      expect(links(text)).toEqual([]);
      expect(whole(text)).toBe(text);
    },
  );

  // A form that counts all characters for each removed one does not end within the time limit.
  it.each([')', ']', '.', ')(', 'a', '漢字', 'http://', '’'])('reads a long row of %j once', (text) => {
    const parts = splitLinks(`http://a.example/${text.repeat(500_000)}`);
    expect(parts.map((part) => part.text.length).reduce((a, b) => a + b)).toBe('http://a.example/'.length + 500_000 * text.length);
  });

  it('end before a quote, so that no attribute can be injected', () => {
    const [first] = splitLinks('https://a.example/"onmouseover="alert(1)');
    expect(first?.href).toBe('https://a.example/');
  });
});

it('announces reports that are new, but not those from before the participant came, nor those of older messages', () => {
  const shown: string[] = [];
  let snapshot = INITIAL_SNAPSHOT;
  let notify = () => {};
  const subscribe = (listener: () => void) => {
    notify = listener;
    return () => {};
  };
  announceReports(
    { getSnapshot: () => snapshot, subscribe } as Partial<ClassStore> as ClassStore,
    { showToast: ({ key }) => void shown.push(key) } as Partial<Toasts> as Toasts,
  );
  const show = (...messages: ChatMessage[]) => {
    snapshot = { ...snapshot, isLoaded: true, messages };
    notify();
    return shown.splice(0);
  };
  const reported = (version: number, reports: number) => ({ ...newMessage(version), reports });
  expect(show(reported(5, 2))).toEqual([]);
  expect(show(reported(5, 2), newMessage(6))).toEqual([]);
  expect(show(reported(5, 2), reported(6, 1))).toEqual(['toast.reported']);
  expect(show({ ...newMessage(5), deletedAt: '2030-01-01T00:00:00.000Z' }, reported(6, 1))).toEqual([]);
  expect(show(reported(4, 3), newMessage(5), reported(6, 1))).toEqual([]);
  expect(show(reported(4, 3), newMessage(5), reported(6, 1), reported(7, 1))).toEqual(['toast.reported']);
});

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
    await request.respond(newMessage(6, id));
    expect(outbox()).toEqual([]);
    store.receive({ base: 5, version: 6, messages: [newMessage(6, id)] });
    expect(store.getSnapshot().messages).toHaveLength(1);
  });

  it('are not shown twice if the push arrives before the answer', async () => {
    const { service, store, sending, outbox, idOf } = await inClass();
    sending.add('hello');
    const id = idOf('hello');
    await flushPromises();
    store.receive({ base: 5, version: 6, messages: [newMessage(6, id)] });
    expect(outbox()).toEqual([]);
    await service.request('/v1/classroom/chat').respond(newMessage(6, id));
    expect(store.getSnapshot().messages.map((known) => known.id)).toEqual([id]);
  });

  it('are sent one after the other', async () => {
    const { service, sending } = await inClass();
    sending.add('one');
    sending.add('two');
    await flushPromises();
    expect(service.pending.map(({ body }) => body)).toMatchObject([{ text: 'one' }]);
    await service.request('/v1/classroom/chat').respond(newMessage(6));
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
    await service.request('/v1/classroom/chat').respond(newMessage(6, idOf('two')));
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
