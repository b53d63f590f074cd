/** The chapters of the API reference, in order. */
export const TAGS = {
  Rooms: 'Holding classes: rooms, tokens, people.',
  'In class': 'What people in a class do, with their own tokens. For pages and apps of your own: ours does all of it.',
  Recordings: 'Recording a class and fetching its files.',
  'Usage and billing': 'Sessions, attendance, credits: to the second, as they are charged.',
  Agent: 'A model beside your product, with a memory for each chat.',
  Tutor: 'A tutor for the students of a class, who knows the class.',
  Videos: 'Stored video: upload, transcoding, signed playback.',
  'Webhooks and events': 'What happened, told to your backend or asked for in its order.',
  'API keys':
    'Keys of an organization’s backend, each with scopes of its own. A call with a key sends it as `Authorization: Bearer vc_live_…` in place of `VF-ORG-ID`.',
  Dashboard: 'The organization’s own figures for its people, with a JWT.',
  Health: 'Whether the service can be used.',
  Administration: 'Provisioning, for operators.',
  'Media plane': 'For LiveKit.',
} as const;

export type Tag = keyof typeof TAGS;
