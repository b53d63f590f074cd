import { changedSettings, DEFAULT_SETTINGS } from './room-settings.js';

const LESSON = { ...DEFAULT_SETTINGS, startsAt: '2030-01-15T10:00:00.000Z', endsAt: '2030-01-15T11:00:00.000Z' };

describe('a change of settings', () => {
  it('leaves as it is what it does not name', () => {
    expect(changedSettings(LESSON, {})).toEqual(LESSON);
    expect(changedSettings(LESSON, { emptyTimeout: undefined, chat: { slowModeSeconds: 5 }, autoRecord: true })).toEqual({
      ...LESSON,
      chat: { mode: 'ALL', slowModeSeconds: 5 },
      autoRecord: true,
    });
  });

  it('keeps times in UTC, and removes what is null', () => {
    const changes = { startsAt: '2030-01-15T11:30:00+01:00', endsAt: null, maxDuration: 60 };
    expect(changedSettings(LESSON, changes)).toEqual({ ...LESSON, startsAt: '2030-01-15T10:30:00.000Z', endsAt: null, maxDuration: 60 });
    expect(changedSettings({ ...LESSON, maxDuration: 60 }, { maxDuration: null }).maxDuration).toBeNull();
  });

  it('cannot give a room a budget without an amount', () => {
    expect(() => changedSettings(LESSON, { budget: { onReached: 'warn' } })).toThrow('settings.budget.maxCredits is required');
    expect(changedSettings(LESSON, { budget: { maxCredits: 5 } }).budget).toEqual({ maxCredits: 5, onReached: 'warn' });
  });
});
