import type { ClassroomCommand, ClassroomCommands, SOURCE, VERSION, CommandResult } from '@virtual-classroom/embed';

/** A command with its arguments, discriminated by the command. */
export type Command = { [C in ClassroomCommand]: [command: C, args: ClassroomCommands[C]] }[ClassroomCommand];

/** `hello`, a command to carry out, or a command to refuse. */
export type HostMessage = { hello: true } | { id: string; command: Command } | { id: string; error: string };

const PROTOCOL: { source: typeof SOURCE; version: typeof VERSION } = { source: 'virtual-classroom', version: 1 };
const MAX_ID_LENGTH = 128;

type Check = (value: unknown) => boolean;
const isBoolean: Check = (value) => typeof value === 'boolean';

const ARGUMENTS: { [C in ClassroomCommand]: Record<keyof ClassroomCommands[C] & string, [check: Check, expected: string]> } = {
  leave: {},
  set_microphone: { enabled: [isBoolean, 'a boolean'] },
  set_camera: { enabled: [isBoolean, 'a boolean'] },
  start_screen_share: {},
  raise_hand: { raised: [isBoolean, 'a boolean'] },
  set_layout: { layout: [(value) => value === 'grid' || value === 'speaker', `'grid' or 'speaker'`] },
};

/**
 * Parses a message of the host page and checks each field, because the message comes from another origin. Returns undefined if
 * it does not belong to this protocol.
 */
export function parseHostMessage(data: unknown): HostMessage | undefined {
  if (!isObject(data) || data['source'] !== PROTOCOL.source || data['version'] !== PROTOCOL.version) return undefined;
  const { command, id, args } = data;
  if (command === 'hello') return { hello: true };
  if (typeof id !== 'string' || id.length === 0 || id.length > MAX_ID_LENGTH) return undefined;
  if (typeof command !== 'string' || !Object.hasOwn(ARGUMENTS, command)) return { id, error: 'unknown command' };
  const given = args ?? {};
  if (!isObject(given)) return { id, error: 'args must be an object' };
  const checkedArgs: Record<string, unknown> = {};
  for (const [name, [check, expected]] of Object.entries<[Check, string]>(ARGUMENTS[command as ClassroomCommand])) {
    if (!Object.hasOwn(given, name) || !check(given[name])) return { id, error: `args.${name} must be ${expected}` };
    checkedArgs[name] = given[name];
  }
  return { id, command: [command, checkedArgs] as unknown as Command };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type CommandHandler = (...command: Command) => Promise<void>;

/** How many results are kept for repeated commands. */
const MAX_CACHED_RESULTS = 100;

/** Carries out commands and answers each. A repeated id is the same command: it is carried out once and answered each time. */
export class CommandRunner {
  handler: CommandHandler | undefined;
  private readonly results = new Map<string, Promise<CommandResult>>();

  constructor(private readonly sendResult: (result: CommandResult) => void) {}

  runOnce(message: Exclude<HostMessage, { hello: true }>): void {
    const { id } = message;
    if ('error' in message) return this.sendResult({ id, ok: false, error: message.error });
    const { handler } = this;
    if (!handler) return this.sendResult({ id, ok: false, error: 'the classroom is not ready yet' });
    const result = this.results.get(id) ?? this.cacheResult(id, runCommand(id, message.command, handler));
    void result.then(this.sendResult);
  }

  private cacheResult(id: string, result: Promise<CommandResult>): Promise<CommandResult> {
    this.results.set(id, result);
    const [oldest] = this.results.keys();
    if (this.results.size > MAX_CACHED_RESULTS && oldest !== undefined) this.results.delete(oldest);
    return result;
  }
}

async function runCommand(id: string, command: Command, handler: CommandHandler): Promise<CommandResult> {
  try {
    await handler(...command);
    return { id, ok: true };
  } catch (error) {
    return { id, ok: false, error: error instanceof Error && error.message ? error.message : String(error) };
  }
}
