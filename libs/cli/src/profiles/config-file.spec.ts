import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../io.js';
import { configPath, readConfig, writeConfig } from './config-file.js';

const CONFIG = { current: 'default', profiles: { default: { url: 'https://classroom.example', credential: 'vfo_1' } } };

describe('the configuration file', () => {
  let home: string;
  let path: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'vc-config-'));
    path = configPath({ XDG_CONFIG_HOME: home });
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const modeOf = (file: string) => statSync(file).mode & 0o777;

  it('is in the XDG directory, or in .config of the home', () => {
    expect(path).toBe(join(home, 'virtual-classroom', 'config.json'));
    expect(configPath({ HOME: '/home/ada', XDG_CONFIG_HOME: '' })).toBe('/home/ada/.config/virtual-classroom/config.json');
  });

  it('can be read by its owner only, also if it replaces another one', () => {
    writeConfig(path, CONFIG);
    chmodSync(path, 0o644);
    writeConfig(path, CONFIG);
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);
    expect(readConfig(path)).toEqual(CONFIG);
    expect(readdirSync(dirname(path))).toEqual(['config.json']);
  });

  it('has no profiles before the first login', () => {
    expect(readConfig(path)).toEqual({ current: 'default', profiles: {} });
  });

  it('is refused if others can read it', () => {
    writeConfig(path, CONFIG);
    chmodSync(path, 0o640);
    expect(() => readConfig(path)).toThrow(CommandError);
  });

  it.each(['', '{', '[]', 'null', '{"current":"default","profiles":[]}', '{"profiles":{}}'])('is refused if it contains %j', (text) => {
    writeConfig(path, CONFIG);
    writeFileSync(path, text);
    expect(() => readConfig(path)).toThrow(/is no configuration of vc/);
  });
});
