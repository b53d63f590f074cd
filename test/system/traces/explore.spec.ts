import { cpSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { runTracedClass } from './traced-class.js';
test('explore', async () => {
  const c = await runTracedClass();
  await new Promise((r) => setTimeout(r, 3000));
  cpSync(c.stack.home + '/traces', '/tmp/T-home/traces', { recursive: true });
  cpSync(c.stack.home + '/logs', '/tmp/T-home/logs', { recursive: true });
  writeFileSync('/tmp/T-home/class.json', JSON.stringify({ sid: c.sid, actions: c.actions, canaries: c.canaries }, null, 1));
  await c.stop();
}, 400000);
