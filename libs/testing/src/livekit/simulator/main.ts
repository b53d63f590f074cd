import { createSimulator } from './simulator.js';
import { holdStampsFrom } from './stamps.js';

const need = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

// A machine with a wrong clock uses it everywhere: in timestamps, in the Date header, and for the age of tokens.
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const machineNow = Date.now;
Date.now = () => machineNow() + aheadMs;

if (process.env['CLOCK_FILE']) holdStampsFrom(process.env['CLOCK_FILE']);

const server = createSimulator({
  apiKey: need('API_KEY'),
  apiSecret: need('API_SECRET'),
  webhookUrls: (process.env['WEBHOOK_URLS'] ?? '').split(',').filter(Boolean),
  timeScale: Number(process.env['TIME_SCALE'] ?? 1),
  seed: Number(process.env['SEED'] ?? 1),
  eventLog: process.env['EVENT_LOG'],
});

// Loopback only: /sim/* has no authentication.
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  // One line on stdout reports the port to the parent, also if it asked for any free port.
  process.stdout.write(`${JSON.stringify({ listening: typeof address === 'object' ? address?.port : address })}\n`);
});

process.on('SIGTERM', () => process.exit(0));
// Ends the simulator when its parent dies.
process.on('disconnect', () => process.exit(0));
