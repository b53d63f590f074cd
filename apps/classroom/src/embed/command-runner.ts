import type { CommandResult } from '@virtual-classroom/embed';
import type { Command, HostMessage } from './command.js';

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
