import type { ChatMessage } from '@classroom/contracts';
import type { ClassStore } from '../class/class-store.js';
import { message } from '../class/fake-service.js';
import { INITIAL_SNAPSHOT } from '../class/snapshot.js';
import { announceReports } from './chat.js';
import type { Toasts } from '../app/toasts.js';

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
  const reported = (version: number, reports: number) => ({ ...message(version), reports });
  expect(show(reported(5, 2))).toEqual([]);
  expect(show(reported(5, 2), message(6))).toEqual([]);
  expect(show(reported(5, 2), reported(6, 1))).toEqual(['toast.reported']);
  expect(show({ ...message(5), deletedAt: '2030-01-01T00:00:00.000Z' }, reported(6, 1))).toEqual([]);
  expect(show(reported(4, 3), message(5), reported(6, 1))).toEqual([]);
  expect(show(reported(4, 3), message(5), reported(6, 1), reported(7, 1))).toEqual(['toast.reported']);
});
