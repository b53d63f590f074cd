import { type Command, InvalidArgumentError } from 'commander';
import { VirtualClassroom } from '@virtual-classroom/sdk';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import { ClassPage } from '../robots/class-page.js';
import { ClassOfRobots } from '../sandbox/class-of-robots.js';
import { DEFAULT_URL, type Progress, SandboxClient } from '../sandbox/sandbox-client.js';
import { agrees, type Bill, DAY_MS, midnightFrom, MINUTE_MS, School, type Timetable } from '../sandbox/school.js';
import { recipeOf } from '../sandbox/triggers.js';
import type { Session } from '../session.js';
import { choice, declare, group, parseCount, parseDuration, type Role, ROLES } from './declare.js';

interface Robots {
  count: number;
  minutes: number;
  role: Role;
  speak?: boolean;
  raiseHands?: boolean;
}

/** Adds the address of the sandbox. */
const inSandbox = (command: Command): Command => command.option('--sandbox-url <url>', 'address of the sandbox; VC_SANDBOX_URL');

/** A number of a timetable. */
const within = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`It must be from ${least} to ${most}.`);
  return value;
};

export function addSandbox(program: Command, session: Session): void {
  const sandbox = group(program, 'sandbox', 'a local stack with a clock that you move: npm start -- --sandbox');
  const clientOf = ({ sandboxUrl }: { sandboxUrl?: string }) =>
    new SandboxClient((sandboxUrl ?? session.io.env['VC_SANDBOX_URL'] ?? DEFAULT_URL).replace(/\/$/, ''));

  inSandbox(declare(sandbox, 'clock', 'show the time of the sandbox', ['sandbox clock'])).action(async (at: { sandboxUrl?: string }) => {
    const now = (await clientOf(at).now()).toISOString();
    session.print.record({ now }, { Clock: time(now) });
  });

  inSandbox(
    declare(sandbox, 'advance', 'move the clock forward, and wait until the services have caught up', [
      'sandbox advance 2h',
      'sandbox advance 30d',
    ]),
  )
    .argument('<duration>', 'how far: 90s, 45m, 2h, 30d', parseDuration)
    .action(async (ms: number, at: { sandboxUrl?: string }) => {
      const client = clientOf(at);
      const from = await client.now();
      const now = (await client.advance(new Date(from.getTime() + ms), reporter(session))).toISOString();
      session.print.record({ now }, { Clock: time(now) });
    });

  addRobots(sandbox, session, clientOf);
  addTrigger(sandbox, session, clientOf);
  addSchool(sandbox, session, clientOf);
}

const MONTH_MS = 31 * DAY_MS;

type ClientOf = (at: { sandboxUrl?: string }) => SandboxClient;

/** Prints what is waited for, whenever it changes. */
function reporter({ print }: Session): (progress: Progress) => void {
  let last = '';
  return ({ now, waiting }) => {
    const text = `${time(now)}  waiting for ${waiting.join(', ')}`;
    if (waiting.length > 0 && text !== last) print.note(text);
    last = text;
  };
}

function addRobots(sandbox: Command, session: Session, clientOf: ClientOf): void {
  inSandbox(
    declare(sandbox, 'robots', 'have simulated students take part in a class, and leave', [
      'sandbox robots algebra-1 --count 30 --minutes 45',
      'sandbox robots algebra-1 --count 3 --minutes 10 --role moderator --speak --raise-hands',
    ]),
  )
    .argument('<roomId>', 'id of the room')
    .option('--count <count>', 'how many', parseCount, 1)
    .option('--minutes <minutes>', 'how long they stay; the clock is advanced by it', parseCount, 45)
    .addOption(choice('--role <role>', 'their role', ROLES).default('STUDENT'))
    .option('--speak', 'announce a camera and a microphone of each, without a picture or a sound')
    .option('--raise-hands', 'raise the hand of each')
    .action(async (roomId: string, { count, minutes, role, speak, raiseHands, ...at }: Robots & { sandboxUrl?: string }) => {
      const [client, clock] = [session.client(), clientOf(at)];
      const page = new ClassPage(session.used.url ?? '');
      const { participantCount: others = 0 } = (await client.rooms.status(roomId)) as { participantCount?: number };
      const people = new ClassOfRobots(client, clock, roomId, others);
      const begin = await clock.now();
      const robots = await people.join(
        Array.from({ length: count }, (_, n) => `robot-${n + 1}`),
        { role },
      );
      if (speak) await clock.speak(robots.map(({ connection }) => connection));
      if (raiseHands) for (const { token } of robots) await page.raiseHand((await page.session(token)).classroomToken);
      const end = await clock.advance(new Date(begin.getTime() + minutes * MINUTE_MS), reporter(session));
      // A schedule or a budget may have ended the class before.
      const { endedAt } = await client.rooms.get(roomId);
      if (endedAt === null) await people.leave(robots);
      const left = endedAt === null ? end : new Date(endedAt);
      const credits = Math.ceil((count * (left.getTime() - begin.getTime())) / MINUTE_MS);
      const result = { roomId, robots: count, joinedAt: begin.toISOString(), leftAt: left.toISOString(), credits };
      session.print.record(result, {
        Room: roomId,
        Robots: count,
        Joined: time(result.joinedAt),
        Left: time(result.leftAt),
        Credits: result.credits,
      });
    });
}

function addTrigger(sandbox: Command, session: Session, clientOf: ClientOf): void {
  inSandbox(
    declare(sandbox, 'trigger', 'make an event happen, or send an example of it to your endpoints', [
      'sandbox trigger room.finished',
      'sandbox trigger recording.completed',
      'sandbox trigger --list',
    ]),
  )
    .argument('[type]', 'type of the event')
    .option('--list', 'list the types')
    .action(async (type: string | undefined, { list, ...at }: { list?: boolean; sandboxUrl?: string }) => {
      const clock = clientOf(at);
      const events = (await clock.events()).map((event) => ({ ...event, isReal: recipeOf(event.type) !== undefined }));
      if (list || type === undefined) {
        const columns = [
          ['type', (event: (typeof events)[number]) => event.type],
          ['what happens', (event: (typeof events)[number]) => (event.isReal ? 'the real thing' : 'an example is sent')],
          ['description', (event: (typeof events)[number]) => event.description],
        ] as const;
        return session.print.list(
          events,
          columns.map(([heading, text]) => [heading, text]),
          'There are no events.',
        );
      }
      if (!events.some((event) => event.type === type))
        throw new CommandError(`There is no event ${type}`, 'Run: vc sandbox trigger --list');
      const client = session.client();
      const recipe = recipeOf(type);
      if (recipe) {
        const roomId = await recipe({ client, sandbox: clock });
        return session.print.record({ type, isReal: true, roomId }, { Type: type, Happened: true, Room: roomId });
      }
      const endpoints = (await client.webhookEndpoints.list()).endpoints.filter(({ isEnabled }) => isEnabled);
      if (endpoints.length === 0)
        throw new CommandError('The organization has no endpoint to which an example could be sent', 'Run: vc webhooks create <address>');
      await clock.sendExample(
        type,
        endpoints.map(({ endpointId }) => endpointId),
      );
      const urls = endpoints.map(({ url }) => url);
      session.print.record({ type, isReal: false, sentTo: urls }, { Type: type, Happened: false, 'Example sent to': urls });
    });
}

function addSchool(sandbox: Command, session: Session, clientOf: ClientOf): void {
  inSandbox(
    declare(sandbox, 'school', 'play a timetable in a new organization, and check its bill', [
      'sandbox school --days 30',
      'sandbox school --days 5 --classes 2 --students 10 --minutes 30',
      'sandbox school --days 3 --mine',
      'sandbox school --days 30 --save lakeside',
    ]),
  )
    .option('--days <days>', 'days of school', within(1, 365), 5)
    .option('--classes <classes>', 'classes a day, one each hour from 08:00 UTC', within(1, 15), 5)
    .option('--students <students>', 'students of a class; every third leaves 10 minutes early', within(0, 1000), 30)
    .option('--minutes <minutes>', 'length of a class', within(11, 59), 45)
    .option('--mine', 'in the organization of your credential, instead of a new one with a monthly statement')
    .option('--save <profile>', 'store the credential of the new organization in this profile, to look at what was played')
    .action(async ({ mine, save, ...options }: Timetable & { mine?: boolean; save?: string; sandboxUrl?: string }) => {
      if (mine && save !== undefined) throw new CommandError('--mine and --save are both given', 'Give one of them.');
      const clock = clientOf(options);
      const firstDay = midnightFrom(await clock.now());
      await clock.advance(firstDay, reporter(session));
      const client = mine ? session.client() : await newClient(session, clock, firstDay, save);
      const school = new School(client, clock, options);
      await school.play(firstDay, (day, classes) => session.print.note(`Day ${day} of ${options.days}: ${classes} classes so far`));
      // No month is longer: the last statement is closed.
      if (!mine) await clock.advance(new Date((await clock.now()).getTime() + MONTH_MS), reporter(session));
      printBill(session, await school.bill(), mine === true);
    });
}

async function newClient(session: Session, clock: SandboxClient, firstDay: Date, save?: string): Promise<VirtualClassroom> {
  const { url, credential } = await clock.newOrganization('Sandbox school', firstDay);
  if (save !== undefined) {
    session.store(save, { url, credential });
    session.print.note(`The organization's credential is in profile ${save}: vc --profile ${save} statements list`);
  }
  return new VirtualClassroom({ baseUrl: url, credential });
}

function printBill(session: Session, bill: Bill, isMine: boolean): void {
  const isRight = agrees(bill, !isMine);
  const { classes, minutes, credits, statements } = bill;
  const shown = Object.fromEntries(
    statements.map(({ cycleStart, cycleEnd, creditsConsumed, amount, currency }) => [
      `Statement ${cycleStart.slice(0, 10)} to ${cycleEnd.slice(0, 10)}`,
      `${creditsConsumed} credits, ${amount} ${currency}`,
    ]),
  );
  session.print.record(
    { ...bill, agrees: isRight },
    { Classes: classes, 'Minutes by the timetable': minutes, 'Credits in the ledger': credits, ...(isMine ? {} : shown), Agrees: isRight },
  );
  if (!isRight) session.exitCode = 1;
}
