import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  inLongForm,
  byForm,
  expectMoneyInvariants,
  newOrganization,
  type NewOrganization,
  TestStack,
  WebhookReceiver,
} from '@classroom/testing';
import { PUBLIC_EVENTS } from '@classroom/contracts';
import { verifyWebhook } from '../../libs/sdk/src/index.js';
import { Terminal } from './cli/terminal.js';

/** Starts a sandbox of its own: its clock has moved at the end. */
describe('vc sandbox', () => {
  let stack: TestStack;
  let terminal: Terminal;
  let school: NewOrganization;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    stack = await TestStack.start({ sandbox: true, apps: ['organization', 'room', 'billing', 'gateway'] });
    terminal = await Terminal.open({ VC_SANDBOX_URL: `http://127.0.0.1:${stack.ports.parts['sandbox']}` });
    school = await newOrganization(stack, { billing: { type: 'PREPAID', credits: 10_000, creditRate: 0.01, currency: 'USD' } });
    await terminal.vc(['login', '--url', stack.urls.gateway], { input: `${school.value}\n` });
    receiver = await WebhookReceiver.start();
  });

  afterAll(async () => {
    await terminal?.close();
    await receiver?.stop();
    await stack?.stop();
  });

  const clock = async () => Date.parse((await terminal.json(['sandbox', 'clock'])).now as string);

  it('moves the clock of all services, and only forward', async () => {
    const before = await clock();
    expect(await clock()).toBe(before);
    await terminal.json(['sandbox', 'advance', '2h']);
    expect(await clock()).toBe(before + 2 * 3_600_000);
    const { room } = await terminal.json(['rooms', 'create', '--title', 'Later']);
    expect(await terminal.json(['rooms', 'get', room.roomId])).toMatchObject({ createdAt: new Date(before + 2 * 3_600_000).toISOString() });
    const back = await fetch(`http://127.0.0.1:${stack.ports.parts['sandbox']}/clock/move`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: new Date(before).toISOString() }),
    });
    expect([back.status, await back.text()]).toEqual([400, expect.stringContaining('moves only forward')]);
  });

  inLongForm(it)('keeps its time when a service starts again', async () => {
    await stack.app('room').restart();
    const { room } = await terminal.json(['rooms', 'create', '--title', 'After the restart']);
    expect(Date.parse((await terminal.json(['rooms', 'get', room.roomId])).createdAt)).toBe(await clock());
  });

  inLongForm(it)('has robots take part, raise their hands and leave, and the class ends emptyTimeout later', async () => {
    const { room } = await terminal.json(['rooms', 'create', '--title', 'Robots']);
    const begin = await clock();
    const args = ['sandbox', 'robots', room.roomId, '--count', '5', '--minutes', '45', '--role', 'teacher', '--speak', '--raise-hands'];
    expect(await terminal.json(args)).toMatchObject({ robots: 5, credits: 5 * 45 });
    await terminal.json(['sandbox', 'advance', '1d']);
    expect(await terminal.json(['rooms', 'summary', room.roomId])).toMatchObject({ totalParticipants: 5, totalCredits: 225 });
    const { startedAt, endedAt, endReason } = await terminal.json(['rooms', 'get', room.roomId]);
    expect({ startedAt, endedAt, endReason }).toEqual({
      startedAt: new Date(begin).toISOString(),
      endedAt: new Date(begin + 50 * 60_000).toISOString(),
      endReason: 'empty',
    });
    expect(await terminal.json(['balance'])).toMatchObject({ remainingCredits: 10_000 - 225 });
  });

  it('lists exactly the events of the contract, and every one of them arrives, signed', async () => {
    const { secret } = await terminal.json(['webhooks', 'create', receiver.url()]);
    const events = (await terminal.json(['sandbox', 'trigger', '--list'])) as { type: string; isReal: boolean }[];
    expect(events.map(({ type }) => type)).toEqual(Object.keys(PUBLIC_EVENTS));
    expect(events.filter(({ isReal }) => isReal).length).toBeGreaterThan(5);
    const types = byForm({
      short: ['room.finished', 'recording.completed'],
      long: events.map(({ type }) => type),
    });
    for (const type of types) {
      await terminal.json(['sandbox', 'trigger', type]);
      await terminal.json(['sandbox', 'advance', '1s']);
      const [received] = receiver.on('/hook', type);
      const event = verifyWebhook(received?.body ?? '', received?.headers ?? {}, secret);
      const isReal = events.some((one) => one.type === type && one.isReal);
      expect(event).toMatchObject(isReal ? { type, sequence: expect.any(Number) } : { type, sequence: null, livemode: false });
      expect('livemode' in event).toBe(!isReal);
    }
  });

  it('ends a class within the minute in which its budget is used up, and says so on the way', async () => {
    const roomId = `budget-${await clock()}`;
    await school.api.post('/v1/room/create', {
      roomId,
      title: 'Budget',
      participant: { uid: 'teacher', name: 'Teacher', role: 'TEACHER' },
      settings: { budget: { maxCredits: 10, onReached: 'endClass' } },
    });
    const begin = await clock();
    await terminal.json(['sandbox', 'robots', roomId, '--count', '2', '--minutes', '60']);
    const { endedAt, endReason } = await terminal.json(['rooms', 'get', roomId]);
    const { data } = (await school.api.get('/v1/events?types=room.budget_reached&limit=100')).body;
    const reached = data.events.filter((event) => 'roomId' in event.data && event.data.roomId === roomId);
    const minutes = reached.map(({ timestamp }) => Math.floor((Date.parse(timestamp) - begin) / 60_000));
    expect([reached.map(({ data: it }) => 'percent' in it && it.percent), endReason]).toEqual([[50, 80, 100], 'budget']);
    // Two people use five credits within two and a half minutes, and are charged once a minute.
    for (const [at, minute] of [3, 4, 5].entries()) expect(minutes[at]).toBeLessThanOrEqual(minute + 1);
    expect(Date.parse(endedAt) - begin).toBeLessThanOrEqual(7 * 60_000);
  });

  inLongForm(it)('has statements of the weeks that are over, as a list and as PDF files', async () => {
    const { value } = await newOrganization(stack, {
      billing: { type: 'POSTPAID', billingFrequency: 'WEEKLY', creditRate: 0.01, currency: 'EUR' },
    });
    const env = { VC_URL: stack.urls.gateway, VC_CREDENTIAL: value };
    const { room } = await terminal.json(['rooms', 'create', '--title', 'Billed'], env);
    await terminal.json(['sandbox', 'robots', room.roomId, '--count', '2', '--minutes', '30'], env);
    await terminal.json(['sandbox', 'advance', '8d']);
    const [statement] = await terminal.json(['statements', 'list'], env);
    expect(statement).toMatchObject({ creditsConsumed: 60, amount: 0.6, currency: 'EUR', classrooms: 1 });
    const { file } = await terminal.json(['statements', 'download', statement.statementId, '--language', 'de', '--out', 'bills'], env);
    expect(file).toBe(join('bills', `${statement.statementId}.pdf`));
    expect(readFileSync(join(terminal.path, file), 'latin1')).toMatch(/^%PDF-/);
    expect(await terminal.json(['statements', 'list'])).toEqual([]);
  });

  it(`plays ${byForm({ short: 2, long: 30 })} days of school, whose bill is exact`, async () => {
    const days = byForm({ short: 2, long: 30 });
    const size = byForm({ short: ['--classes', '2', '--students', '8'], long: ['--classes', '5', '--students', '30'] });
    const minutes = byForm({ short: days * 2 * (6 * 45 + 3 * 35), long: days * 5 * (21 * 45 + 10 * 35) });
    const bill = await terminal.json(['sandbox', 'school', '--days', String(days), ...size, '--save', 'lakeside']);
    expect(bill).toMatchObject({ minutes, credits: minutes, agrees: true });
    const { statements } = bill as { statements: { creditsConsumed: number; amount: number; classrooms: number }[] };
    const totals = statements.map(({ creditsConsumed, amount, classrooms }) => [creditsConsumed, amount, classrooms]);
    // A lesson's minute costs a cent. In the long form, a short month has a second statement.
    expect([0, 1, 2].map((n) => totals.reduce((total, row) => total + (row[n] ?? 0), 0))).toEqual([minutes, minutes / 100, bill.classes]);
    expect(await terminal.json(['statements', 'list', '--profile', 'lakeside'])).toHaveLength(statements.length);
    await expectMoneyInvariants(stack);
  });
});
