import path from 'node:path';
import { saysDiskFull } from './disk.ts';
import { codeOf, Interrupted, StackError } from './errors.ts';
import { stackCache, stackHome } from './paths.ts';
import { prepare } from './prepare.ts';
import { Progress, seconds } from './progress.ts';
import { provision, waitUntilHealthy, createDemoRoom, roomBody } from './provision.ts';
import { readSettings, type Outside } from './settings.ts';
import { startParts, startStack, type StackOptions } from './start.ts';
import { wipeHome } from './wipe.ts';
import { onStop } from './signals.ts';
import type { Stack } from './stack.ts';

/** One line for what the reader can fix, indented log lines below it; a stack only for our own faults. */
export function tell(error: unknown): void {
  if (error instanceof Interrupted) return;
  if (saysDiskFull(error)) {
    process.stderr.write('The disk is full: make room, or put STACK_HOME and STACK_CACHE on another disk.\n');
  } else if (['EACCES', 'EPERM', 'EROFS'].includes(String(codeOf(error)))) {
    const { path: file = 'A file' } = error as NodeJS.ErrnoException;
    process.stderr.write(`${file} can't be written: check its owner, or set STACK_HOME and STACK_CACHE to folders of yours.\n`);
  } else if (error instanceof StackError) {
    process.stderr.write(`${error.message}\n${error.details.map((line) => `    ${line}\n`).join('')}`);
  } else {
    process.stderr.write(`${(error instanceof Error && error.stack) || String(error)}\n`);
  }
}

async function start(flags: string[]) {
  const began = Date.now();
  const progress = new Progress();
  const home = stackHome();
  const cache = stackCache();
  let stack: Stack | undefined;
  const stopper = onStop({ progress, home });
  const isPartsOnly = flags.includes('--parts-only');
  progress.line(`Virtual Classroom: starting in ${home}`);
  try {
    const options: StackOptions = {
      home,
      cache,
      progress,
      signal: stopper.signal,
      supervise: true,
      ...readSettings(process.env),
      prepare: () => {
        const under = prepare({ home, cache, progress, signal: stopper.signal, withBuild: !isPartsOnly });
        for (const promise of [under.built, ...Object.values(under.tools)]) promise.catch(stopper.fail);
        return under;
      },
    };
    stack = isPartsOnly ? await startParts(options) : await startStack(options);
    if (isPartsOnly) {
      progress.line(`\nParts are up after ${seconds(Date.now() - began)}: ${JSON.stringify({ ...stack.urls, gateway: undefined })}`);
    } else {
      await welcome(stack, progress, began);
    }
  } catch (error) {
    if (!stopper.isAsked()) {
      stopper.fail();
      progress.rest();
      tell(error);
      await stack?.stop();
      process.exit(1);
    }
  }
  await stopper.finished(stack);
}

/** What a newcomer needs. */
async function welcome(stack: Stack, progress: Progress, began: number) {
  await progress.step('health', () => waitUntilHealthy(stack));
  const use = stack.options.outside ? tellOperator(stack.options.outside) : await tellNewcomer(stack, progress);
  progress.line(`
Ready after ${seconds(Date.now() - began)}.
${use}
  Logs    ${path.join(stack.home, 'logs')}
  Traces  ${path.join(stack.home, 'traces')}   (npm run trace)
  Data    ${stack.home}   (kept; npm run reset wipes it)

  Ctrl-C stops everything.`);
}

/** Who serves others makes the organizations. */
const tellOperator = ({ page, livekit, nodeIp, files }: Outside) => `
  Page and API     ${page}
  LiveKit          ${livekit}${nodeIp ? `   (sound and picture at ${nodeIp})` : ''}
  Recordings       ${files ?? 'can be downloaded on this machine alone: S3_PUBLIC_URL is not set'}
`;

/** @returns with an organization and a room to try it in */
async function tellNewcomer(stack: Stack, progress: Progress): Promise<string> {
  const { organizationId } = await progress.step('demo organization', () => provision(stack));
  const link = await progress
    .step('demo room', () => createDemoRoom(stack, organizationId))
    .catch((error: unknown) => {
      // All else is up and of use, not least to find out why.
      tell(error);
      return '(none: see above)';
    });
  const { gateway } = stack.urls;
  return `
  Gateway          ${gateway}
  Organization id  ${organizationId}   (the VF-ORG-ID header; a secret)
  Recordings       ${stack.urls.s3}   (S3, bucket ${stack.s3Environment().S3_BUCKET})

  Create a room
    curl -sX POST ${gateway}/v1/room/create -H 'VF-ORG-ID: ${organizationId}' -H 'content-type: application/json' \\
      -d '${JSON.stringify(roomBody('my-first-class'))}'

  Join the demo room in a browser
    ${link}
`;
}

async function reset() {
  await wipeHome(stackHome());
  process.stdout.write(`Wiped ${stackHome()}.\n`);
}

export async function main([command = 'start', ...flags]: string[]) {
  // A reader of our output that goes away (`npm start | head`) must not be the end of the stack's orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    if (command === 'start') await start(flags);
    else if (command === 'reset') await reset();
    else throw new StackError(`Unknown command ${command}: use start or reset.`);
  } catch (error) {
    tell(error);
    process.exit(1);
  }
}
