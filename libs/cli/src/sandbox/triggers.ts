import type { EventType, VirtualClassroom } from '@virtual-classroom/sdk';
import { ClassOfRobots } from './class-of-robots.js';
import type { SandboxClient } from './sandbox-client.js';
import { MINUTE_MS } from './school.js';

interface Scene {
  client: VirtualClassroom;
  sandbox: SandboxClient;
}

/** Makes an event happen. @returns the room in which it happens */
type Recipe = (scene: Scene) => Promise<string>;

const created: Recipe = async (scene) => (await newClass(scene)).people.roomId;

const started: Recipe = async (scene) => (await begun(scene)).people.roomId;

const left: Recipe = async (scene) => {
  const { people, robots } = await begun(scene);
  await scene.sandbox.move(new Date((await scene.sandbox.now()).getTime() + MINUTE_MS));
  await people.leave(robots);
  return people.roomId;
};

const removed: Recipe = async (scene) => {
  const { people } = await begun(scene);
  await scene.client.rooms.participants.remove(people.roomId, 'student');
  return people.roomId;
};

const endingSoon: Recipe = async (scene) => {
  const now = await scene.sandbox.now();
  const { people } = await begun(scene, new Date(now.getTime() + 15 * MINUTE_MS));
  await scene.sandbox.advance(new Date(now.getTime() + 6 * MINUTE_MS));
  return people.roomId;
};

const finished: Recipe = async (scene) => {
  const roomId = await left(scene);
  await scene.client.rooms.end(roomId);
  return roomId;
};

/** The events that a sandbox makes happen. Each other one is sent as an example. */
export const RECIPES: Partial<Record<EventType, Recipe>> = {
  'room.created': created,
  'room.started': started,
  'room.ending_soon': endingSoon,
  'room.finished': finished,
  'participant.joined': started,
  'participant.left': left,
  'participant.removed': removed,
};

export const recipeOf = (type: string): Recipe | undefined => (Object.hasOwn(RECIPES, type) ? RECIPES[type as EventType] : undefined);

/** A class that does not begin before someone joins. */
async function newClass({ client, sandbox }: Scene, endsAt?: Date) {
  const roomId = `trigger-${crypto.randomUUID()}`;
  const participant = { uid: 'teacher', name: 'Robot teacher', role: 'TEACHER' } as const;
  const settings = endsAt ? { settings: { endsAt: endsAt.toISOString() } } : {};
  const { token } = await client.rooms.create({ roomId, title: 'Triggered class', participant, ...settings });
  return { people: new ClassOfRobots(client, sandbox, roomId), token };
}

async function begun(scene: Scene, endsAt?: Date) {
  const { people, token } = await newClass(scene, endsAt);
  return { people, robots: await people.join(['teacher', 'student'], { tokens: { teacher: token } }) };
}
