import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { exportLazily, importLazily } from './lazy.ts';

const COMPILED = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Room = void 0;
const tslib_1 = require("tslib");
const clock_1 = require("./clock.js");
const pino_1 = tslib_1.__importDefault(require("pino"));
require("reflect-metadata");
class Room {
  now() { return (0, clock_1.now)(); }
  log() { return { ...pino_1.default, own: this.pino_1 }; }
}
exports.Room = Room;
`;

/** Runs a compiled module. @returns its exports and what it has required, in order */
function run(code: string, modules: Record<string, unknown>): { exports: Record<string, unknown>; required: string[] } {
  const required: string[] = [];
  const exports: Record<string, unknown> = {};
  const load = (name: string) => {
    required.push(name);
    return modules[name] ?? {};
  };
  // oxlint-disable-next-line no-implied-eval -- the module that a bundle would contain
  new Function('exports', 'require', code)(exports, load);
  return { exports, required };
}

describe('lazy imports of a bundle', () => {
  const modules = {
    tslib: { __importDefault: (module: unknown) => ({ default: module }) },
    './clock.js': { now: () => 7 },
    pino: { level: 'info' },
  };
  type RoomClass = new () => { now(): number; log(): object };

  test('a module is loaded when it is first used, and once', () => {
    const { exports, required } = run(importLazily(COMPILED, '/app/dist/room.js'), modules);
    expect(required).toEqual(['reflect-metadata']);
    const room = new (exports['Room'] as RoomClass)();
    expect([room.now(), room.now()]).toEqual([7, 7]);
    expect(required).toEqual(['reflect-metadata', './clock.js']);
  });

  test('a spread and a property that has the name of an import are as before', () => {
    const { exports, required } = run(importLazily(COMPILED, '/app/dist/room.js'), modules);
    expect(new (exports['Room'] as RoomClass)().log()).toEqual({ level: 'info', own: undefined });
    expect(required).toEqual(['reflect-metadata', 'tslib', 'pino']);
  });

  test('code without imports is unchanged', () => {
    const code = 'exports.a = 1;\n';
    expect(importLazily(code, '/app/dist/a.js')).toBe(code);
  });

  test('an index loads the module of an export when that is used', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-lazy-'));
    const index = path.join(folder, 'index.js');
    fs.writeFileSync(path.join(folder, 'a.js'), 'exports.shared = 1;\nexports.a = 2;\n');
    fs.writeFileSync(
      path.join(folder, 'b.js'),
      '__exportStar(require("./a.js"), exports);\nObject.defineProperty(exports, "b", { value: 3 });\n',
    );
    const code = 'exports.shared = 0;\n__exportStar(require("./b.js"), exports);\n';
    const { exports, required } = run(exportLazily(code, index), { './b.js': { a: 2, b: 3, shared: 1 } });
    expect(Object.keys(exports)).toEqual(['shared', 'b', 'a']);
    expect(required).toEqual([]);
    expect([exports['shared'], exports['a'], exports['b']]).toEqual([0, 2, 3]);
    fs.rmSync(folder, { recursive: true });
  });
});
