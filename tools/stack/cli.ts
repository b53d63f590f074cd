import path from 'node:path';
import { type Outside, printError, readSettings, stackCache, StackError, stackHome } from './context.ts';
import { wipeHome } from './home.ts';
import type { StackOptions } from './options.ts';
import { PART_NAMES } from './parts/obtain.ts';
import { prepare } from './prepare.ts';
import { Progress, seconds } from './progress.ts';
import { createConsoleLink, createDemoRoom, provision, roomBody, waitUntilHealthy, writeLinks } from './provision.ts';
import { sandboxHome, sandboxUrl } from './sandbox.ts';
import { type Stack, startParts, startStack } from './stack.ts';
import { onStop, serveRestarts } from './supervisor.ts';

/** A sandbox has its own. */
const homeFrom = (flags: string[]) => (flags.includes('--sandbox') ? sandboxHome(stackHome()) : stackHome());

async function start(flags: string[]) {
  const began = Date.now();
  const progress = new Progress();
  const sandbox = flags.includes('--sandbox');
  const home = homeFrom(flags);
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
      sandbox,
      ...readSettings(process.env),
      prepare: () => {
        const under = prepare({ home, cache, progress, signal: stopper.signal, withBuild: !isPartsOnly, ...partsFor(sandbox) });
        for (const promise of [under.built, ...Object.values(under.tools)]) promise.catch(stopper.fail);
        return under;
      },
    };
    stack = isPartsOnly ? await startParts(options) : await startStack(options);
    if (isPartsOnly) {
      progress.line(`\nParts are up after ${seconds(Date.now() - began)}: ${JSON.stringify({ ...stack.urls, gateway: undefined })}`);
    } else {
      serveRestarts(home, stack.apps);
      await welcome(stack, progress, began);
    }
  } catch (error) {
    if (!stopper.isAsked()) {
      stopper.fail();
      printError(error);
      await stack?.stop();
      process.exit(1);
    }
  }
  await stopper.finished(stack);
}

/** A sandbox needs no LiveKit. */
const partsFor = (sandbox: boolean) => (sandbox ? { parts: PART_NAMES.filter((name) => name !== 'livekit') } : {});

/** Prints what is needed to use the stack. */
async function welcome(stack: Stack, progress: Progress, began: number) {
  await progress.step('health', () => waitUntilHealthy(stack));
  const use = stack.options.outside ? operatorText(stack.options.outside) : await newUserText(stack, progress);
  progress.line(`
Ready after ${seconds(Date.now() - began)}.
${use}
  Logs    ${path.join(stack.home, 'logs')}
  Traces  ${path.join(stack.home, 'traces')}   (npm run trace)
  Data    ${stack.home}   (kept; npm run reset${stack.options.sandbox ? ' -- --sandbox' : ''} wipes it)

  Ctrl-C stops everything.`);
}

/** Text for an operator who serves others. Operators create the organizations themselves. */
const operatorText = ({ page, livekit, nodeIp, files }: Outside) => `
  Page and API     ${page}
  LiveKit          ${livekit}${nodeIp ? `   (sound and picture at ${nodeIp})` : ''}
  Recordings       ${files ?? 'can be downloaded on this machine alone: S3_PUBLIC_URL is not set'}
`;

const sandboxText = (stack: Stack) =>
  stack.options.sandbox ? `\n  Sandbox          ${sandboxUrl(stack)}   (VC_SANDBOX_URL; vc sandbox clock)` : '';

/** @returns text for a new user, with an organization and a room to try the stack with */
async function newUserText(stack: Stack, progress: Progress): Promise<string> {
  const credential = await progress.step('demo organization', () => provision(stack));
  const linkOf = (what: string, make: () => Promise<string>) =>
    progress.step(what, make).catch((error: unknown) => {
      // The rest of the stack runs and is useful, for example to find the cause.
      printError(error);
      return undefined;
    });
  // No browser can join a class of a sandbox.
  const room = stack.options.sandbox ? undefined : await linkOf('demo room', () => createDemoRoom(stack, credential));
  const console = await linkOf('console link', () => createConsoleLink(stack, credential));
  const links = [
    { name: 'Demo class', url: room },
    { name: 'Console of the demo organization', url: console },
  ];
  writeLinks(
    stack,
    links.flatMap(({ name, url }) => (url ? [{ name, url }] : [])),
  );
  const none = '(none: see above)';
  const { gateway } = stack.urls;
  return `
  Gateway          ${gateway}
  Credential       ${credential}   (of the demo organization, for the VF-ORG-ID header; a secret)
  Recordings       ${stack.urls.s3}   (S3, bucket ${stack.s3Environment('gateway').S3_BUCKET})${sandboxText(stack)}

  Create a room
    curl -sX POST ${gateway}/v1/room/create -H 'VF-ORG-ID: ${credential}' -H 'content-type: application/json' \\
      -d '${JSON.stringify(roomBody('my-first-class'))}'

${stack.options.sandbox ? '' : `  Join the demo room in a browser\n    ${room ?? none}\n\n`}  See its classes and costs in the console
    ${console ?? none}
`;
}

async function reset(flags: string[]) {
  const home = homeFrom(flags);
  await wipeHome(home);
  process.stdout.write(`Wiped ${home}.\n`);
}

export async function main([command = 'start', ...flags]: string[]) {
  // If the reader of the output exits (`npm start | head`), the write error must not interrupt the graceful stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    if (command === 'start') await start(flags);
    else if (command === 'reset') await reset(flags);
    else throw new StackError(`Unknown command ${command}: use start or reset.`);
  } catch (error) {
    printError(error);
    process.exit(1);
  }
}

void main(process.argv.slice(2));
