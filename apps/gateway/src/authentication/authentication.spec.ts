import { createHash } from 'node:crypto';
import { operators } from '../operators-setting.js';
import { Operators } from './authentication.js';

const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');

describe('the secret of an operator', () => {
  const at = (day: string) => jest.useFakeTimers({ now: new Date(day) });
  const known = new Operators({
    DISPATCH_SECRET: 'shared',
    DISPATCH_SECRET_PREVIOUS: undefined,
    OPERATORS: operators.parse(`ada:${hash('of ada')}:2027-02-28,grace:${hash('of grace')}:read`),
  });

  afterEach(() => jest.useRealTimers());

  it('is accepted until the end of its last day', () => {
    at('2027-02-28T23:59:59Z');
    expect(known.find('of ada')).toEqual({ name: 'ada', role: 'admin' });
    at('2027-03-01T00:00:00Z');
    expect(known.find('of ada')).toBeUndefined();
  });

  it('does not expire without one, as the shared secret', () => {
    at('2099-01-01T00:00:00Z');
    expect(known.find('of grace')).toEqual({ name: 'grace', role: 'read' });
    expect(known.find('shared')).toEqual({ name: 'dispatch', role: 'admin' });
    expect(known.find('another')).toBeUndefined();
  });
});
