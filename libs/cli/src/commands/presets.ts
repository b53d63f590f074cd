import { readFileSync } from 'node:fs';
import type { Body, Preset } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group, parseCount } from './declare.js';

type NewPreset = Pick<Body<'setPreset'>, 'customization' | 'settings'>;

interface Options {
  file?: string;
  maxParticipants?: number;
  autoRecord?: boolean;
  waitingRoom?: Preset['settings']['waitingRoom'];
  chat?: NonNullable<Preset['settings']['chat']>['mode'];
  lobby: boolean;
}

export function addPresets(program: Command, session: Session): void {
  const presets = group(program, 'presets', 'presets: named templates for rooms');
  const named = (command: Command) => command.argument('<preset>', 'name of the preset');

  declare(presets, 'list', 'list the presets of the organization', ['presets list']).action(async () =>
    session.print.list(
      (await session.client().presets.list()).presets,
      [
        ['preset', ({ name }) => name],
        ['max participants', ({ settings }) => settings.maxParticipants],
        ['recorded', ({ settings }) => settings.autoRecord],
        ['waiting room', ({ settings }) => settings.waitingRoom],
        ['updated', ({ updatedAt }) => time(updatedAt)],
      ],
      'There are no presets. Create one with: vc presets save <preset>',
    ),
  );

  named(declare(presets, 'show', 'show what a preset sets', ['presets show seminar', 'presets show seminar --json'])).action(
    async (name: string) => show(session, await session.client().presets.get(name)),
  );

  named(
    declare(presets, 'save', 'create a preset, or replace it: what is not given has the defaults of a room', [
      'presets save seminar --max-participants 12 --waiting-room students --auto-record',
      'presets save seminar-7b --file seminar.json --max-participants 30',
    ]),
  )
    .option('--file <file>', 'JSON with customization and settings, as presets show --json prints it; - is standard input')
    .option('--max-participants <count>', 'how many people may be in the class', parseCount)
    .option('--auto-record', 'record from the first participant on')
    .addOption(choice('--waiting-room <who>', 'who waits until a teacher admits them', ['OFF', 'STUDENTS', 'ALL']))
    .addOption(choice('--chat <mode>', 'to whom students may write', ['ALL', 'TEACHERS', 'OFF']))
    .option('--no-lobby', 'begin in the class, without a lobby')
    .action(async (name: string, options: Options) => {
      const body = withOptions(options.file === undefined ? {} : await readPreset(options.file, session), options);
      show(session, await session.client().presets.set(name, body));
    });

  named(declare(presets, 'delete', 'delete a preset; its rooms stay as they are', ['presets delete seminar'])).action(
    async (name: string) => {
      const deleted = await session.client().presets.delete(name);
      session.print.record(deleted, { Deleted: deleted.name });
    },
  );
}

/** The fields are named as in the file of `presets save`. */
const show = ({ print }: Session, preset: Preset): void =>
  print.record(preset, { Preset: preset.name, Updated: time(preset.updatedAt), ...preset.customization, ...preset.settings });

/** The service checks what the file has. @throws CommandError if it is not a JSON object */
async function readPreset(file: string, { io }: Session): Promise<NewPreset> {
  const next = 'It has the form {"customization": {…}, "settings": {…}}: see vc presets show <preset> --json.';
  try {
    const text = file === '-' ? await io.readAll() : readFileSync(file, 'utf8');
    const { customization, settings } = Object(JSON.parse(text)) as NewPreset;
    if (customization !== undefined || settings !== undefined) return { customization, settings };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, next);
  }
  throw new CommandError(`${file} has neither customization nor settings`, next);
}

/** Options have priority over the file. */
function withOptions({ customization, settings }: NewPreset, options: Options): NewPreset {
  const { maxParticipants, autoRecord, waitingRoom, chat, lobby } = options;
  return {
    customization: { ...customization, ...(lobby ? {} : { showLobby: false }) },
    settings: {
      ...settings,
      ...(maxParticipants === undefined ? {} : { maxParticipants }),
      ...(autoRecord ? { autoRecord } : {}),
      ...(waitingRoom ? { waitingRoom } : {}),
      ...(chat ? { chat: { ...settings?.chat, mode: chat } } : {}),
    },
  };
}
