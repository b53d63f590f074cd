import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import { ClassPage, type PageSession } from '../robots/class-page.js';
import { inParallel } from '../robots/in-parallel.js';
import { loadRtc, type Media, RealRobot } from '../robots/real-robot.js';
import type { Session } from '../session.js';
import { choice, declare, parseCount, parseDuration, type Role, ROLES } from './declare.js';

const ADMISSION_POLL_MS = 2_000;
/** Milliseconds: no class is longer. */
const LONGEST_MS = 24 * 3_600_000;

interface Options {
  count: number;
  for?: number;
  role: Role;
  speak?: boolean;
  raiseHands?: boolean;
}

export function addRobots(program: Command, session: Session): void {
  declare(program, 'robots', 'have participants without a person take part in a class, over WebRTC; Ctrl-C ends it', [
    'robots algebra-1 --count 5 --role moderator --speak',
    'robots algebra-1 --count 30 --for 10m --raise-hands',
  ])
    .argument('<roomId>', 'id of the room')
    .option('--count <count>', 'how many', parseCount, 1)
    .option('--for <duration>', 'how long they stay: 90s, 45m, 2h; without it, until Ctrl-C or the end of the class', parseDuration)
    .addOption(choice('--role <role>', 'their role', ROLES).default('STUDENT'))
    .option('--speak', 'publish a picture and a voice of each; they speak in turns')
    .option('--raise-hands', 'raise the hand of each')
    .action(async (roomId: string, options: Options) => {
      const rtc = await loadRtc();
      const client = session.client();
      const page = new ClassPage(session.used.url ?? '');
      const robots: RealRobot[] = [];
      try {
        await inParallel([...Array(options.count).keys()], async (number) => {
          const [uid, name] = [`robot-${number + 1}`, `Robot ${number + 1}`];
          const { token } = await client.rooms.join(roomId, { participant: { uid, name, role: options.role } });
          const entered = await enter(page, token, () => session.print.note(`${name} waits for admission.`), session.io.signal);
          if (!entered) return;
          const media = options.speak ? mediaOf(entered, options.role) : undefined;
          const robot = await RealRobot.connect(rtc, entered.livekitUrl, entered.livekitToken);
          robots.push(robot);
          if (media) await robot.speak(number, options.count, media);
          if (options.raiseHands) await page.raiseHand(entered.classroomToken);
        });
        const joinedAt = new Date().toISOString();
        session.print.note(`${robots.length} robots are in ${roomId}. Ctrl-C ends it.`);
        await stay(robots, options.for, session.io.signal);
        const leftAt = new Date().toISOString();
        const result = { roomId, robots: robots.length, joinedAt, leftAt };
        session.print.record(result, { Room: roomId, Robots: robots.length, Joined: time(joinedAt), Left: time(leftAt) });
      } finally {
        await Promise.all(robots.map((robot) => robot.leave()));
        await rtc.dispose();
      }
    });
}

/** @returns undefined if the user ended the command while the robot waited @throws CommandError if a robot cannot enter the class */
async function enter(page: ClassPage, token: string, waits: () => void, signal: AbortSignal): Promise<PageSession | undefined> {
  let opened = await page.session(token);
  if (opened.admission) waits();
  while (opened.admission) {
    await sleep(ADMISSION_POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    opened = await page.session(opened.classroomToken);
  }
  if (opened.livekitToken === '')
    throw new CommandError('The class asks for consent, which a robot does not give', 'Use a room without settings.recordingConsent.');
  return opened;
}

/** @throws CommandError if the participant may publish neither a picture nor a voice */
function mediaOf({ permissions: { publish, publishAudio = publish, publishVideo = publish } }: PageSession, role: Role): Media {
  if (!publishAudio && !publishVideo)
    throw new CommandError(
      `A ${role} of this class may not speak`,
      'Use --role moderator, or a room with settings.permissions that allow it.',
    );
  return { hasPicture: publishVideo, hasVoice: publishAudio };
}

/** Resolves after `ms`, on Ctrl-C, or when no robot is in the class any more. */
async function stay(robots: readonly RealRobot[], ms: number | undefined, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  void Promise.all(robots.map(({ gone }) => gone)).then(() => ended.abort());
  await sleep(ms ?? LONGEST_MS, undefined, { signal: until }).catch(() => undefined);
}
