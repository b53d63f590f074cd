import { Argument, type Command } from 'commander';
import { bashScript, fishScript, zshScript } from '../completion/scripts.js';
import { placesOf } from '../completion/tree.js';
import type { Session } from '../session.js';
import { declare } from './declare.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

export function addCompletion(program: Command, session: Session): void {
  declare(program, 'completion', 'print a script with which a shell completes commands and options', [
    'completion bash > ~/.local/share/bash-completion/completions/vc',
    'completion zsh > "${fpath[1]}/_vc"',
    'completion fish > ~/.config/fish/completions/vc.fish',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => {
      const script = SCRIPTS[shell](program.name(), placesOf(program));
      if (session.print.isJson) session.print.record({ shell, script }, {});
      else session.io.out(script);
    });
}
