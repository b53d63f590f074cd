import type { Command } from 'commander';

/** A word that can be completed. */
export interface Word {
  word: string;
  description: string;
}

/** An option that takes a value. */
export interface Valued {
  flags: string[];
  choices: readonly string[];
}

/** What can follow one command. */
export interface Place {
  /** The words of the command from the program's name on, such as `vc rooms list`. */
  path: string;
  commands: Word[];
  options: Word[];
  valued: Valued[];
}

/** Every command with what can follow it: its commands, its options and those of the program. */
export function placesOf(program: Command, command = program, path = program.name()): Place[] {
  const help = command.createHelp();
  const all = [
    ...help.visibleOptions(command),
    ...(command === program ? [] : help.visibleOptions(program).filter(({ long }) => long !== '--version' && long !== '--help')),
  ];
  const flagsOf = ({ short, long }: { short?: string; long?: string | null }) =>
    [short, long].filter((it) => it !== undefined && it !== null);
  const commands = help.visibleCommands(command);
  return [
    {
      path,
      commands: commands.map((it) => ({ word: it.name(), description: it.description() })),
      options: all.flatMap((option) => (option.long ? [{ word: option.long, description: option.description }] : [])),
      valued: all
        .filter(({ required, optional }) => required || optional)
        .map((option) => ({ flags: flagsOf(option), choices: option.argChoices ?? [] })),
    },
    ...commands.filter((it) => it.name() !== 'help').flatMap((it) => placesOf(program, it, `${path} ${it.name()}`)),
  ];
}
