import { assert, array, integer, property, record, tuple } from 'fast-check';
import { creditsOf } from '@classroom/contracts';
import { chargeFor, sessionCredits, type MeterReading } from './charge.js';

const reading = (overrides: Partial<MeterReading>): MeterReading => ({
  sid: 'RM_1',
  roomId: 'r',
  seconds: 0,
  connections: 1,
  chargedCredits: 0,
  sequence: 0,
  lastEntryId: null,
  foldedVersion: 1,
  versionSum: 1,
  finalVersion: null,
  finalConnections: null,
  finalVersionSum: null,
  isFinished: false,
  isSettled: false,
  isPartial: false,
  ...overrides,
});

describe('rounding', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 0.02],
    [59, 1, 0.98],
    [60, 1, 1],
    [61, 2, 1.02],
    [90, 2, 1.5],
    [86_400, 1440, 1440],
    [86_401, 1441, 1440.02],
  ])('%i s are %i credits in a total and %f in a row', (seconds, total, row) => {
    expect(creditsOf(seconds)).toBe(total);
    expect(sessionCredits(seconds)).toBe(row);
  });

  it('rounds a sum once: sixty sessions of one second are one credit', () => {
    expect(creditsOf(Array.from({ length: 60 }, () => 1).reduce((sum, s) => sum + s, 0))).toBe(1);
  });
});

describe('chargeFor', () => {
  it('charges the uncharged credits', () => {
    expect(chargeFor(reading({ seconds: 61, chargedCredits: 1, sequence: 1, lastEntryId: 'e1' }))).toMatchObject({
      kind: 'CHARGE',
      signedCredits: -1,
      sequence: 2,
    });
    expect(chargeFor(reading({ seconds: 60, chargedCredits: 1 }))).toBeUndefined();
  });

  it('gives back credits after later evidence, and names the corrected entry', () => {
    expect(chargeFor(reading({ seconds: 30, chargedCredits: 3, sequence: 2, lastEntryId: 'e2' }))).toMatchObject({
      kind: 'ADJUSTMENT',
      signedCredits: 2,
      correctsEntryId: 'e2',
    });
  });

  it('waits after a room’s end until all its facts are folded', () => {
    const finished = { isFinished: true, foldedVersion: 4, finalVersion: 4, finalConnections: 2, finalVersionSum: 7, seconds: 200 };
    expect(chargeFor(reading({ ...finished, connections: 1, versionSum: 7 }))).toBeUndefined();
    // Equal seconds alone, by coincidence, do not count as agreement.
    expect(chargeFor(reading({ ...finished, connections: 2, versionSum: 6 }))).toBeUndefined();
    // One session changed after the end by as much as another's last change, which is missing: 5 + 2 = 3 + 4.
    expect(chargeFor(reading({ ...finished, connections: 2, versionSum: 7, foldedVersion: 5 }))).toBeUndefined();
    expect(chargeFor(reading({ ...finished, connections: 2, versionSum: 7 }))).toMatchObject({ signedCredits: -4 });
  });

  it('makes an adjustment after settlement', () => {
    const settled = {
      isFinished: true,
      isSettled: true,
      finalVersion: 1,
      finalConnections: 1,
      finalVersionSum: 1,
      chargedCredits: 1,
      sequence: 1,
      lastEntryId: 'e1',
    };
    expect(chargeFor(reading({ ...settled, seconds: 150 }))).toMatchObject({
      kind: 'ADJUSTMENT',
      signedCredits: -2,
      correctsEntryId: 'e1',
    });
  });

  it('charges the total rounded up once, however often and whenever it runs', () => {
    const steps = array(tuple(integer({ min: -40, max: 300 }), record({})), { maxLength: 30 });
    assert(
      property(steps, (changes) => {
        let meter = reading({});
        for (const [change] of changes) {
          meter = { ...meter, seconds: Math.max(0, meter.seconds + change) };
          for (let repeat = 0; repeat < 2; repeat++) {
            const charge = chargeFor(meter);
            if (charge) {
              meter = {
                ...meter,
                chargedCredits: meter.chargedCredits - charge.signedCredits,
                sequence: charge.sequence,
                lastEntryId: `e${charge.sequence}`,
              };
            }
          }
          expect(meter.chargedCredits).toBe(creditsOf(meter.seconds));
        }
      }),
    );
  });
});
