/** The chapters of the reference, in their order, with what in a path tells that an endpoint belongs there. */
const CHAPTERS: { name: string; description: string; paths: RegExp }[] = [
  { name: 'Rooms', description: 'Holding classes: rooms, tokens, people.', paths: /^\/v1\/rooms?(\/(create|:roomId(\/(join|status|polls|participants.*))?))?$/ },
  { name: 'In class', description: 'What people in a class do, with their own tokens. For pages and apps of your own: ours does all of it.', paths: /^\/v1\/classroom\// },
  { name: 'Recordings', description: 'Recording a class and fetching its files.', paths: /^(?!\/v1\/dashboard\/).*\/recordings?(\/|$)/ },
  { name: 'Usage and billing', description: 'Sessions, attendance, credits: to the second, as they are charged.', paths: /^\/v1\/(billing|participant)\/|\/(summary|attendance)$/ },
  { name: 'Agent', description: 'A model beside your product, with a memory for each chat.', paths: /^\/v1\/ai-agent\// },
  { name: 'Tutor', description: 'A tutor for the students of a class, who knows the class.', paths: /^\/v1\/ai-tutor\/|\/context$/ },
  { name: 'Videos', description: 'Stored video: upload, transcoding, signed playback.', paths: /^\/v1\/cdn\// },
  { name: 'Webhooks and events', description: 'What happened, told to your backend or asked for in its order.', paths: /^\/v1\/(webhook|events)/ },
  { name: 'API keys', description: 'Keys of an organization’s backend, each with scopes of its own. A call with a key sends it as `Authorization: Bearer vc_live_…` in place of `VF-ORG-ID`.', paths: /^\/v1\/api-keys/ },
  { name: 'Dashboard', description: 'The organization’s own figures for its people, with a JWT.', paths: /^\/v1\/dashboard/ },
  { name: 'Health', description: 'Whether the service can be used.', paths: /^\/v1\/health\// },
  { name: 'Administration', description: 'Provisioning, for operators.', paths: /^\/v1\/admin\// },
  { name: 'Media plane', description: 'For LiveKit.', paths: /^\/livekit\// },
];

/** @throws where no chapter is for that path: an endpoint that nobody would find */
export function chapterOf(path: string): string {
  // Summaries of a room are figures, the tutor's are its own.
  const found = CHAPTERS.find(({ name, paths }) => paths.test(path) && !(name === 'Usage and billing' && path.includes('/ai-')));
  if (!found) throw new Error(`the reference has no chapter for ${path}: add one to tags.ts`);
  return found.name;
}

/** Those of the chapters that are used. */
export const chapters = (used: ReadonlySet<string>) =>
  CHAPTERS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
