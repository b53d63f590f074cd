import { Circuit, verdictOf } from './join-hook.js';

describe('calls to an address', () => {
  it('pause after three failures in a row, then one call decides', () => {
    const circuit = new Circuit();
    const fail = (now: number) => circuit.record('a', true, now);
    fail(0);
    fail(1);
    circuit.record('a', false, 2);
    fail(3);
    fail(4);
    expect(circuit.isPaused('a', 4)).toBe(false);
    fail(5);
    expect([circuit.isPaused('a', 30_004), circuit.isPaused('a', 30_005), circuit.isPaused('b', 6)]).toEqual([true, false, false]);
    fail(30_005);
    expect(circuit.isPaused('a', 30_006)).toBe(true);
    circuit.record('a', false, 60_005);
    expect(circuit.isPaused('a', 60_005)).toBe(false);
  });
});

it.each([
  ['{"allow": true}', null, true],
  ['{"allow": false, "reason": "expelled"}', null, false],
  ['{"allow": "no"}', null, undefined],
  ['{}', null, undefined],
  ['ok', null, undefined],
  ['', null, undefined],
  [null, 'timeout', undefined],
  ['{"allow": true}', 'status', undefined],
  ['{"allow": true}', 'redirect', undefined],
] as const)('the answer %j with the error %j means %j', (responseBody, error, verdict) => {
  expect(verdictOf({ responseBody, error })).toBe(verdict);
});
