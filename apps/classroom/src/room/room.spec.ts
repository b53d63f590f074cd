/// <reference types="jest" />
import { INITIAL_SNAPSHOT } from '../class/snapshot.js';
import type { ClassStore } from '../class/class-store.js';
import type { AppState } from '../app/app-store.js';
import { followEnding } from './room.js';
import type { HostEvents } from '../embed/host-events.js';
import type { Toasts } from '../app/toasts.js';
import type { Store } from '../store.js';

const MINUTE_MS = 60_000;

/** A class that ends after `ms`. `endIn` moves the end. @returns the minutes of each toast and the seconds of each event */
function classEndingIn(ms: number) {
  const minutes: number[] = [];
  const seconds: number[] = [];
  const listeners: (() => void)[] = [];
  let snapshot = INITIAL_SNAPSHOT;
  const endIn = (left: number | null) => {
    const classEndsAt = left === null ? null : new Date(Date.now() + left).toISOString();
    snapshot = { ...snapshot, room: { title: '', roomDescription: null, maxParticipants: 1, emptyTimeout: 1, classEndsAt } };
    for (const listener of listeners) listener();
  };
  followEnding({
    app: { get: () => ({ screen: 'class', session: {} }) } as unknown as Store<AppState>,
    classStore: { getSnapshot: () => snapshot, subscribe: (listener: () => void) => listeners.push(listener) } as unknown as ClassStore,
    toasts: { showToast: ({ values }: { values: { count: number } }) => minutes.push(values.count) } as unknown as Toasts,
    hostEvents: {
      bridge: { emit: (_: string, { secondsLeft }: { secondsLeft: number }) => seconds.push(secondsLeft) },
    } as unknown as HostEvents,
    now: () => Date.now(),
  });
  endIn(ms);
  return { minutes, seconds, endIn };
}

describe('notice of the end of a class', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is given ten minutes and one minute before it, to the participant and to the host page', () => {
    const { minutes, seconds } = classEndingIn(40 * 24 * 60 * MINUTE_MS);
    jest.advanceTimersByTime((40 * 24 * 60 - 10) * MINUTE_MS - 1);
    expect(minutes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(minutes).toEqual([10]);
    jest.advanceTimersByTime(10 * MINUTE_MS);
    expect([minutes, seconds]).toEqual([
      [10, 1],
      [600, 60],
    ]);
  });

  it('is given at once if less is left, and again for another end', () => {
    const { minutes, endIn } = classEndingIn(3 * MINUTE_MS);
    expect(minutes).toEqual([3]);
    endIn(null);
    jest.advanceTimersByTime(5 * MINUTE_MS);
    expect(minutes).toEqual([3]);
    endIn(30_000);
    expect(minutes).toEqual([3, 1]);
  });
});
