import { person } from '../media/fake-person.js';
import { spotlitOf, type Person } from '../media/person.js';
import { facesOf, listenersOf } from './tiles.js';

const teacher = (more: Partial<Person> = {}) => person('tom', { role: 'TEACHER', mayPublish: true, isPublishing: true, ...more });
const students = [person('ann'), person('ben')];
const keys = (faces: { key: string }[]) => faces.map(({ key }) => key);

describe('those who only listen', () => {
  it('are on the stage of a teacher who would only see themselves, also before anyone publishes', () => {
    for (const isPublishing of [true, false]) {
      const people = [teacher({ isLocal: true, isPublishing }), ...students];
      expect(keys(facesOf(people, undefined, true))).toEqual(['tom', 'ann', 'ben']);
      expect(listenersOf(people, undefined, true)).toEqual([]);
    }
  });

  it('are next to the stage once another person is on it, and for a student', () => {
    const people = [teacher({ isLocal: true }), ...students, person('eve', { mayPublish: true })];
    expect(keys(facesOf(people, undefined, true))).toEqual(['tom', 'eve']);
    expect(listenersOf(people, undefined, true)).toEqual(students);
    expect(keys(facesOf([teacher(), ...students], undefined, false))).toEqual(['tom']);
    expect(listenersOf([teacher(), ...students], undefined, false)).toEqual(students);
  });

  it('are not next to a stage on which there is nothing, nor twice when pinned', () => {
    expect(listenersOf([teacher({ isPublishing: false }), ...students], undefined, false)).toEqual([]);
    expect(keys(facesOf([teacher(), ...students], 'ann', false))).toEqual(['tom', 'ann']);
    expect(listenersOf([teacher(), ...students], 'ann', false)).toEqual([students[1]]);
  });
});

it('whom a teacher shows to everyone has a face, and the latest is the one', () => {
  const [ann, ben] = [person('ann', { spotlitAt: 1 }), person('ben', { spotlitAt: 2 })];
  expect(spotlitOf([teacher(), ann, ben])?.uid).toBe('ben');
  expect(spotlitOf([teacher(), ...students])).toBeUndefined();
  expect(keys(facesOf([teacher({ isPublishing: false }), ann], undefined))).toEqual(['tom', 'ann']);
});
