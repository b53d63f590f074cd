import type { CommandResult } from '@virtual-classroom/embed';
import type { Command, HostMessage } from './command.js';

export type CommandHandler = (...command: Command) => Promise<void>;

/** How many results are kept for repeated commands. */
const MOST_KEPT = 100;

/** Carries out commands and answers each. A repeated id is the same command: it is carried out once and answered each time. */
export class CommandDesk {
  handler: CommandHandler | undefined;
  private readonly results = new Map<string, Promise<CommandResult>>();

  constructor(private readonly answer: (result: CommandResult) => void) {}

  take(message: Exclude<HostMessage, { hello: true }>): void {
    const { id } = message;
    if ('refusal' in message) return this.answer({ id, ok: false, error: message.refusal });
    const { handler } = this;
    if (!handler) return this.answer({ id, ok: false, error: 'the classroom is not ready yet' });
    const result = this.results.get(id) ?? this.keep(id, carryOut(id, message.command, handler));
    void result.then(this.answer);
  }

  private keep(id: string, result: Promise<CommandResult>): Promise<CommandResult> {
    this.results.set(id, result);
    const [oldest] = this.results.keys();
    if (this.results.size > MOST_KEPT && oldest !== undefined) this.results.delete(oldest);
    return result;
  }
}

async function carryOut(id: string, command: Command, handler: CommandHandler): Promise<CommandResult> {
  try {
    await handler(...command);
    return { id, ok: true };
  } catch (error) {
    return { id, ok: false, error: error instanceof Error && error.message ? error.message : String(error) };
  }
}
