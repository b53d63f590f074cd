import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadSecrets, secretsFile } from './secrets.ts';

describe('secrets.json', () => {
  let home: string;
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  });
  afterEach(() => fs.rmSync(home, { recursive: true }));

  test('keeps its values and gets new ones', () => {
    const first = loadSecrets(home, {});
    const { dispatchSecret, ...older } = first;
    fs.writeFileSync(secretsFile(home), JSON.stringify(older));
    const second = loadSecrets(home, {});
    expect(second).toEqual({ ...first, dispatchSecret: second.dispatchSecret });
    expect(second.dispatchSecret).not.toBe(dispatchSecret);
    expect(fs.statSync(secretsFile(home)).mode & 0o777).toBe(0o600);
  });

  test('does not store a secret of the environment, which takes precedence', () => {
    const { dispatchSecret } = loadSecrets(home, {});
    expect(loadSecrets(home, { DISPATCH_SECRET: 'theirs' }).dispatchSecret).toBe('theirs');
    expect(loadSecrets(home, {}).dispatchSecret).toBe(dispatchSecret);
  });

  test.each([
    ['empty', ''],
    ['cut off', '{"dispatchSecret": "abc'],
    ['no object', 'null'],
  ])('that is %s is reported with what to do, and is not changed', (_, text) => {
    fs.writeFileSync(secretsFile(home), text);
    expect(() => loadSecrets(home, {})).toThrow(
      expect.objectContaining({
        name: 'StackError',
        message: `${secretsFile(home)} is damaged: restore it from a backup, or wipe this stack's data and secrets with npm run reset.`,
      }),
    );
    expect(fs.readFileSync(secretsFile(home), 'utf8')).toBe(text);
  });
});
