import type { ChatMessage } from '@classroom/contracts';
import { isSameGroup, groupMessages } from './groups.js';
import { splitLinks } from './links.js';

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

  it.each(['javascript:alert(1)', 'data:text/html,hi', 'ftp://a.example', 'school.example', 'https://', '<a href="x">y</a>'])(
    'are not made from %s',
    (text) => {
      expect(links(text)).toEqual([]);
      expect(whole(text)).toBe(text);
    },
  );

  // A form that counts all characters for each removed one does not end within the time limit.
  it.each([')', ']', '.', ')('])('reads a long row of %j once', (text) => {
    const parts = splitLinks(`http://a.example/${text.repeat(500_000)}`);
    expect(parts.map((part) => part.text.length).reduce((a, b) => a + b)).toBe('http://a.example/'.length + 500_000 * text.length);
  });

  it('end before a quote, so that no attribute can be injected', () => {
    const [first] = splitLinks('https://a.example/"onmouseover="alert(1)');
    expect(first?.href).toBe('https://a.example/');
  });
});
