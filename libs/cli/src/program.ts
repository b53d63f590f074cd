import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addApiKeys } from './commands/api-keys.js';
import { addAudit } from './commands/audit.js';
import { addBilling, addStatements } from './commands/billing.js';
import { addBoard, addChat } from './commands/chat.js';
import { addCompletion } from './commands/completion.js';
import { addEvents } from './commands/events.js';
import { addConfig, addLogin } from './commands/login.js';
import { addOrganizations } from './commands/organizations.js';
import { addPresets } from './commands/presets.js';
import { addPrivacy } from './commands/privacy.js';
import { addRecordings } from './commands/recordings.js';
import { addRobots } from './commands/robots.js';
import { addJoin, addRooms } from './commands/rooms.js';
import { addSandbox } from './commands/sandbox.js';
import { addVideos } from './commands/videos.js';
import { addReplay, addWebhooks } from './commands/webhooks.js';
import type { Io } from './io.js';
import { describeFailure, textOf } from './output/failure.js';
import type { GlobalOptions } from './profiles/settings.js';
import { Session } from './session.js';

/** Exit code after a command that was not understood. */
const MISUSED = 2;

const AFTER = `
Credentials come from the flags, else from the environment (VC_URL, VC_CREDENTIAL, VC_API_KEY,
VC_DISPATCH_SECRET), else from the profile (--profile, VC_PROFILE, or the current one).
Other users of this machine can see flags: prefer the environment or vc login.

Examples:
  $ vc login
  $ vc rooms create algebra-1 --title Algebra --name Ada
  $ vc join algebra-1 --name Bob
  $ vc webhooks listen --forward-to http://localhost:3000/hooks`;

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Declares all commands. @param path receives the words of the command that runs */
export function createProgram(io: Io, path: (words: string) => void = () => undefined): { program: Command; session: Session } {
  const program = new Command('vc');
  const session = new Session(io, () => program.opts<GlobalOptions>());
  program
    .description('The Virtual Classroom API in a terminal.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print JSON: one document, or a line for each event')
    .option('--profile <name>', 'profile to use')
    .option('--url <url>', 'address of the service')
    .option('--credential <credential>', 'credential of the organization, vfo_…')
    .option('--api-key <key>', 'API key of the organization, vc_live_…')
    .option('--dispatch-secret <secret>', 'operators’ secret')
    .helpOption('--help', 'print this help')
    .addHelpText('after', AFTER)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .showHelpAfterError('Run the command with --help to see its options and examples.')
    .exitOverride()
    .hook('preAction', (_, command) => path(wordsOf(command)));
  addLogin(program, session);
  addConfig(program, session);
  addOrganizations(program, session);
  addRooms(program, session);
  addJoin(program, session);
  addChat(program, session);
  addBoard(program, session);
  addPresets(program, session);
  addRecordings(program, session);
  addVideos(program, session);
  addEvents(program, session);
  addWebhooks(program, session);
  addReplay(program, session);
  addBilling(program, session);
  addStatements(program, session);
  addApiKeys(program, session);
  addAudit(program, session);
  addPrivacy(program, session);
  addRobots(program, session);
  addSandbox(program, session);
  addCompletion(program, session);
  return { program, session };
}

const wordsOf = (command: Command): string => (command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name());

/** Runs one command. @param args without the program's name @returns the exit code */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let command = '';
  const { program, session } = createProgram(io, (words) => (command = words));
  try {
    await program.parseAsync(args, { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    const failure = describeFailure(error, { command, ...session.used });
    io.err(session.print.isJson ? `${JSON.stringify({ error: failure })}\n` : textOf(failure));
    return 1;
  }
}
