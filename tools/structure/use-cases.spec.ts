import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from './sources.ts';
import { unclearUseCases } from './use-cases.ts';

describe('a class with a method execute', () => {
  it('has a name that begins with a verb and is unique in the repository', () => {
    // Otherwise name the method, or extend the list of verbs.
    expect(unclearUseCases(packages().map(({ src }) => src))).toEqual([]);
  });

  it('is found if its name is a noun or not unique', () => {
    const [one, other] = ['one', 'other'].map((name) => mkdtempSync(join(tmpdir(), `use-cases-${name}-`))) as [string, string];
    const execute = 'async execute(): Promise<void> {}';
    writeFileSync(join(one, 'class-end.ts'), `export class ClassEnd {\n  ${execute}\n}\nexport class Endings {}\n`);
    writeFileSync(join(one, 'end-class.ts'), `export class EndClass {\n  constructor() {}\n\n  ${execute}\n}\n`);
    writeFileSync(join(one, 'join-room.ts'), `export class JoinRoom {\n  private ${execute}\n}\n`);
    writeFileSync(
      join(one, 'rooms.ts'),
      `export class Rooms {\n  async run(): Promise<void> {\n    await this.joinRoom.execute();\n  }\n}\n`,
    );
    writeFileSync(join(other, 'end-class.ts'), `export class EndClass {\n  ${execute}\n}\n`);
    expect(unclearUseCases([one, other])).toEqual(['ClassEnd', 'EndClass', 'EndClass']);
    for (const folder of [one, other]) rmSync(folder, { recursive: true });
  });
});
