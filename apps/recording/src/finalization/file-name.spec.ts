import { recordingOptions } from '@classroom/contracts';
import { fileNameOf } from './file-name.js';

const at = new Date('2026-09-01T10:30:59.999Z');
const options = recordingOptions.parse({});
const named = (title: string) => fileNameOf({ title, activeAt: at, requestedAt: new Date(0), options });

describe('the name of a recording’s file', () => {
  it.each([
    ['Algebra I', 'Algebra I 2026-09-01 10-30.mp4'],
    ['数学 – Übung', '数学 – Übung 2026-09-01 10-30.mp4'],
    ['a/b\\c:d*e?"f"<g>|h', 'a b c d e f g h 2026-09-01 10-30.mp4'],
    ['../../etc/passwd', 'etc passwd 2026-09-01 10-30.mp4'],
    ['  \n ', 'Recording 2026-09-01 10-30.mp4'],
    ['...', 'Recording 2026-09-01 10-30.mp4'],
  ])('is made from %j', (title, name) => expect(named(title)).toBe(name));

  it('is shortened between characters', () => {
    expect(named('👩'.repeat(100))).toBe(`${'👩'.repeat(80)} 2026-09-01 10-30.mp4`);
  });

  it('has the time of the request if the recording never began', () => {
    expect(fileNameOf({ title: 'A', activeAt: null, requestedAt: at, options })).toBe('A 2026-09-01 10-30.mp4');
  });

  it('says that it has sound only', () => {
    const name = fileNameOf({ title: 'A', activeAt: at, requestedAt: at, options: { ...options, audioOnly: true } });
    expect(name).toBe('A 2026-09-01 10-30.m4a');
  });

  it.each([
    ['.hidden.', 'hidden'],
    ['a\u0000b\tc', 'a b c'],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('has no dots or spaces at the ends of %j', (title, name) => expect(named(title)).toBe(`${name} 2026-09-01 10-30.mp4`));
});
