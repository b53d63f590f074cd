import type { ClassroomCommand, ClassroomCommands, SOURCE, VERSION } from '@virtual-classroom/embed';

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
