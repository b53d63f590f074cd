import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../program.js';
import { MemoryIo } from '../testing/memory-io.js';

it.each([
  ['no JSON', '{'],
  ['no object', '7'],
  ['null', 'null'],
  ['neither part', '{"maxParticipants": 12}'],
])('a preset is not made of a file with %s', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'vc-presets-'));
  try {
    const file = join(folder, 'preset.json');
    writeFileSync(file, text);
    // No service listens there: a call would be another error.
    const io = new MemoryIo({ XDG_CONFIG_HOME: folder, VC_URL: 'http://127.0.0.1:1', VC_CREDENTIAL: 'vfo_1' });
    expect(await run(['presets', 'save', 'seminar', '--file', file], io)).toBe(1);
    expect(io.remarks).toMatch(/^Error: \S+ (cannot be read|has neither customization nor settings).*\nIt has the form /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
