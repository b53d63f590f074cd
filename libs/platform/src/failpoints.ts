/**
 * Named places where a test can make this process fail: `FAILPOINTS="room.create.after-commit=crash"`. Actions: `crash` (SIGKILL,
 * without cleanup), `throw`, `delay:<ms>`. Without the variable each call costs one map lookup.
 */
type Action = { kind: 'crash' } | { kind: 'throw' } | { kind: 'delay'; ms: number };

export function parseFailpoints(value: string | undefined): Map<string, Action> {
  const actions = new Map<string, Action>();
  for (const part of (value ?? '').split(/[;,]/).filter(Boolean)) {
    const [name, action = ''] = part.trim().split('=');
    const [kind, argument] = action.split(':');
    if (!name || (kind !== 'crash' && kind !== 'throw' && kind !== 'delay')) {
      throw new Error(`FAILPOINTS: cannot read "${part}"; write name=crash, name=throw or name=delay:<ms>`);
    }
    actions.set(name, kind === 'delay' ? { kind, ms: Number(argument) } : { kind });
  }
  return actions;
}

const actions = parseFailpoints(process.env['FAILPOINTS']);

export async function failpoint(name: string): Promise<void> {
  const action = actions.get(name);
  if (!action) return;
  if (action.kind === 'crash') {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  }
  if (action.kind === 'throw') throw new Error(`failpoint ${name}`);
  if (action.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, action.ms));
}
