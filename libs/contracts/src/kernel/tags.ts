/** The chapters of the API reference, in order. */
export const TAGS = {
  Rooms: 'Classes: create rooms, issue tokens, manage participants.',
  'In class':
    'What participants do in a class, with their own tokens. The class page makes these calls; use them for a page or an app of your own.',
  Recordings: 'Record a class and download its files.',
  'Usage and billing': 'Sessions, attendance and credits, to the second, as they are charged.',
  Agent: 'A model for your product, with a memory for each chat.',
  Tutor: 'A tutor for the students of a class that knows the class.',
  Videos: 'Stored videos: upload, transcoding, signed playback.',
  'Webhooks and events': 'Events of your organization, sent to your backend or listed in order.',
  'API keys':
    'Keys for an organization’s backend, each with its own scopes. Send a key as `Authorization: Bearer vc_live_…` instead of `VF-ORG-ID`.',
  Dashboard: 'The organization’s own figures for its staff, with a JWT.',
  Health: 'Health of the service.',
  Administration: 'Organizations and credits, for operators.',
  'Media plane': 'Webhooks from LiveKit.',
} as const;

export type Tag = keyof typeof TAGS;
