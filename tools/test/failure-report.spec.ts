import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureReport } from './failure-report.ts';

describe('the report of a failed test', () => {
  let home: string;
  const since = new Date('2026-01-15T10:00:00Z');
  const line = (time: string, level: string, msg: string, more: object = {}) => JSON.stringify({ time, level, msg, ...more });

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
    fs.mkdirSync(path.join(home, 'logs'));
    fs.mkdirSync(path.join(home, 'traces'));
  });
  afterEach(() => fs.rmSync(home, { recursive: true }));

  test('has warnings and errors of all services in order of time, and none from before the test', () => {
    const room = [line('2026-01-15T09:59:59.000Z', 'error', 'before'), line('2026-01-15T10:00:02.000Z', 'warn', 'second'), 'no JSON'];
    const billing = [
      line('2026-01-15T10:00:01.000Z', 'error', 'first', { err: { message: 'refused' } }),
      line('2026-01-15T10:00:03.000Z', 'info', 'fine'),
    ];
    fs.writeFileSync(path.join(home, 'logs', 'room.log'), room.join('\n'));
    fs.writeFileSync(path.join(home, 'logs', 'billing.log'), billing.join('\n'));
    const own = [line('2026-01-15T10:00:04.000Z', 'fatal', 'third')];
    expect(failureReport([home], own, since)).toEqual([
      '10:00:01.000  billing       error  first: refused',
      '10:00:02.000  room          warn   second',
      '10:00:04.000  test          fatal  third',
    ]);
  });

  test('has a repeated message once', () => {
    const lines = [1, 2, 3].map((second) => line(`2026-01-15T10:00:0${second}.000Z`, 'warn', 'retrying'));
    expect(failureReport([], lines, since)).toEqual(['10:00:01.000  test          warn   retrying (3 times)']);
  });

  test('has the trace of an error', () => {
    fs.writeFileSync(path.join(home, 'logs', 'room.log'), line('2026-01-15T10:00:01.000Z', 'error', 'failed', { trace_id: 'a1' }));
    const span = {
      traceId: 'a1',
      spanId: 'b',
      service: 'room',
      name: 'room.create',
      kind: 'SERVER',
      attributes: {},
      status: { code: 'ERROR' },
    };
    const spans = [
      { ...span, startUnixNano: '1000000', endUnixNano: '3000000' },
      { ...span, traceId: 'other', startUnixNano: '0', endUnixNano: '1' },
    ];
    fs.writeFileSync(path.join(home, 'traces', 'room.jsonl'), spans.map((it) => JSON.stringify(it)).join('\n'));
    expect(failureReport([home], [], since).slice(1)).toEqual(['trace a1', 'room  room.create  [SERVER]  2.0 ms @0.0  ERROR']);
  });
});
