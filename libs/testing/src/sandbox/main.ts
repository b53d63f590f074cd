import { Gateway } from './gateway.js';
import { Processes } from './processes.js';
import { Robots } from './robots.js';
import { Rows } from './rows.js';
import { createSandboxServer, MovableClock } from './sandbox-server.js';

const need = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

async function main(): Promise<void> {
  const { NATS_USER: user, NATS_PASSWORD: pass } = process.env;
  const processes = await Processes.connect({ servers: need('NATS_SERVERS'), user, pass }, need('APPS').split(','));
  const robots = new Robots(need('LIVEKIT_URL'));
  const clock = new MovableClock(need('CLOCK_FILE'), processes, robots, new Rows(need('DATABASE_ADMIN_URL')));
  const gateway = new Gateway(need('GATEWAY_URL'), need('DISPATCH_SECRET'));
  createSandboxServer({ clock, gateway, robots, processes }).listen(Number(need('PORT')), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

void main();
