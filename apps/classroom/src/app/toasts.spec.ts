/// <reference types="jest" />
import { Announcer } from './toasts.js';

describe('announcements to screen readers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const announcer = () => {
    const said: string[] = [];
    return { said, announcer: new Announcer(({ key, values = {} }) => void said.push([key, ...Object.values(values)].join(' '))) };
  };

  it('come one after the other, so that none replaces another that was not read yet', () => {
    const { said, announcer: one } = announcer();
    for (const key of ['recording', 'poll', 'poll', 'toast']) one.add({ key });
    expect(said).toEqual(['recording']);
    jest.advanceTimersByTime(999);
    expect(said).toEqual(['recording']);
    jest.advanceTimersByTime(1_001);
    expect(said).toEqual(['recording', 'poll', 'toast']);
    jest.advanceTimersByTime(60_000);
    one.add({ key: 'poll' });
    expect(said).toHaveLength(4);
  });

  it('name who did something, and count many within five seconds', () => {
    const { said, announcer: one } = announcer();
    one.addNames('chat', ['Ada']);
    one.addNames('chat', ['Bob', 'Ada', 'Bob']);
    one.addNames('hand', ['Eve']);
    jest.advanceTimersByTime(4_999);
    expect(said).toEqual(['announcement.names.chat 1 Ada', 'announcement.names.hand 1 Eve']);
    jest.advanceTimersByTime(1);
    expect(said.splice(0)).toContain('announcement.names.chat 3 Bob, Ada');
    for (const name of ['A', 'B', 'C', 'D']) one.addNames('chat', [name, name]);
    jest.advanceTimersByTime(60_000);
    expect(said).toEqual(['announcement.many.chat 8 A, B, C, D']);
    one.addNames('chat', []);
    jest.advanceTimersByTime(60_000);
    expect(said).toHaveLength(1);
  });

  it('are no more than one in a second, whatever happens in a class of a thousand, and let important ones pass', () => {
    const { said, announcer: one } = announcer();
    for (let second = 0; second < 60; second += 1) {
      for (let i = 0; i < 100; i += 1) for (const doing of ['joined', 'hand', 'chat', 'waiting'] as const) one.addNames(doing, [`P${i}`]);
      if (second === 30) one.add({ key: 'reconnecting' });
      jest.advanceTimersByTime(1_000);
    }
    expect(said.length).toBeLessThanOrEqual(60);
    expect(said.indexOf('reconnecting')).toBeLessThanOrEqual((said.length * 32) / 60);
  });

  it('end when the class does', () => {
    const { said, announcer: one } = announcer();
    one.add({ key: 'first' });
    one.add({ key: 'second' });
    one.addNames('chat', ['Ada']);
    one.clear();
    jest.advanceTimersByTime(60_000);
    expect(said).toEqual(['first']);
  });
});
