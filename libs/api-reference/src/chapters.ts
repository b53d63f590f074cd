import type { Tag } from '@classroom/contracts';

interface Chapter {
  /** Chapters are shown in groups. */
  group: 'Classes' | 'After class' | 'Content and AI' | 'Integration' | 'In class' | 'Dashboard' | 'Operators';
  /** What the resource is, its states, and the usual order of calls. */
  description: string;
}

/** The chapters of the API reference, one for each resource, in order. */
export const CHAPTERS: Record<Tag, Chapter> = {
  Rooms: {
    group: 'Classes',
    description: `A room is one class. Its \`status\` is \`created\` until the first participant joins, then \`live\`, and \`finished\` when it is ended by a call or has been empty for \`emptyTimeout\` seconds; a finished room cannot be resumed.

Create a room with a \`roomId\` of your own, open the returned \`iframeUrl\` for its teacher, and create a token for each further participant with *Join room*. *Get room status* follows the class; the events \`room.started\` and \`room.finished\` do so without polling. *End room* disconnects everyone, and *Get room summary* returns what the class cost.`,
  },
  Presets: {
    group: 'Classes',
    description: `A preset is a named template for rooms: settings, consent and look.

Set it once, and create rooms with \`preset\`: each room has the preset's settings, as far as the request gives no others, and keeps them when the preset changes.`,
  },
  Participants: {
    group: 'Classes',
    description: `A participant is a person for whom a token of the room was created, identified by your \`uid\`. A participant is connected or not, any number of times; each connection is billed as a session.

These calls read and moderate the participants of a room from your backend. Participants moderate each other with the calls under *Class moderation*.`,
  },
  Recordings: {
    group: 'Classes',
    description: `A recording is a video file of the class as a participant sees it. Its status is \`STARTING\`, \`ACTIVE\`, \`ENDING\` while the file is finalized, and then \`COMPLETED\`, \`FAILED\` or \`ABORTED\`.

Start it in a live room, or create the room with \`autoRecord\`. It ends by a call or with the class. When the class is over, *Download recordings* returns signed links for six hours; then the files are deleted. *Publish recording* keeps one as a [video](#tag/videos).`,
  },
  Reports: {
    group: 'After class',
    description: `Reports are computed from sessions: the connections of participants, to the second. They are correct as soon as a class ends, and available as JSON or CSV.

*Get attendance* answers who was in a class, *List participant sessions* in which classes one person was, *List engagement* how they took part, and *Explain quality* why it was bad for one of them. With \`settings.attendance\` and \`roster\` of *Create room*, attendance is evaluated: who was late, left early or was absent. The event \`attendance.evaluated\` reports it once, when the class ends; \`engagement.summarized\` reports five minutes later how everyone took part.`,
  },
  Billing: {
    group: 'After class',
    description: `One credit is one minute of one participant. The seconds of all participants of a room are summed and rounded up once.

A prepaid organization buys credits in advance; its status is \`ACTIVE\` or \`OVERCONSUMED\`, and a new room may then be refused with 402. A postpaid organization pays for each week or month. The events \`credits.low\` and \`credits.overconsumed\` warn in time; *Set credit alerts* adds thresholds of your own, and \`settings.budget\` of *Create room* limits one class, and *Update room* changes that limit.

Every change of the balance is an entry of the ledger. *Explain own charge* returns the sessions or the AI usage behind one, with the evidence that opened and closed each session.`,
  },
  Documents: {
    group: 'Content and AI',
    description: `A document is a file of a class, such as its slides, whose pages become pictures. It is \`pending\` until its file is complete, \`processing\` while its pages are made, and then \`completed\` or \`failed\`.

Create it with an upload for any [tus](https://tus.io) client, or with a \`url\` from which it is loaded. Wait for \`document.converted\` or poll *List documents*; *Get document* returns signed addresses of its pages. The tutor of the class knows their text.`,
  },
  Videos: {
    group: 'Content and AI',
    description: `A video is a stored file with adaptive playback. It is \`pending\` until its upload is complete, \`processing\` during transcoding, and then \`completed\` or \`failed\`.

Create it, upload the file to \`upload.url\` with any [tus](https://tus.io) client, wait for \`video.completed\` or poll *Get video status*, and request a signed playback address with *Get video URL* whenever a viewer opens it: it is valid for about an hour.`,
  },
  Agent: {
    group: 'Content and AI',
    description: `The agent is a model for your product, in text, speech and pictures. It remembers the turns of each chat by your \`chatId\`.

*Chat with agent* returns the whole answer, *Stream agent answer* returns it line by line as it is generated. Turns of one chat are answered one after the other; too many waiting ones get \`CHAT_BUSY\`.`,
  },
  Tutor: {
    group: 'Content and AI',
    description: `The tutor answers the questions of a room's students and knows the class: title, notes, metadata, earlier questions. Each student has a dialogue of their own.

Give it topic and notes with *Set tutor context*, before or during the class. Students ask in the class page, or your backend asks on their behalf. *Get tutor summary* shows what the class wanted to know.`,
  },
  'Webhook endpoints': {
    group: 'Integration',
    description: `A webhook endpoint is a URL of yours that receives events. It is enabled until you disable it, it answers 410, or every attempt fails for five days; \`disabledReason\` says which. A delivery is \`pending\`, \`delivered\` or \`failed\`, and can be sent again.

Create an endpoint, store its secret, check it with *Ping webhook endpoint*, and verify the signature of each request. Answer 2xx within 15 seconds. Delivery is at least once, in any order. Signatures follow [Standard Webhooks](https://www.standardwebhooks.com); guide: \`webhooks.md\`.`,
  },
  Events: {
    group: 'Integration',
    description: `The history has every event of the organization for 30 days, in order and without gaps, with the same ids as webhooks.

Read it from the last \`sequence\` that you have: after an outage nothing is lost, whatever happened to the webhooks. Ignore types and fields that you do not know.`,
  },
  Credentials: {
    group: 'Integration',
    description: `A credential is a value for the header \`VF-ORG-ID\`. It has every permission of the organization, so it is a secret of your backend. An organization can have several; for components that need less, use API keys.

To replace one, create a second credential, store its value in your backend, check \`lastUsedAt\` of both, and revoke the first one.`,
  },
  'API keys': {
    group: 'Integration',
    description: `An API key is a credential for one component of your backend, with its own scopes. Send it as \`Authorization: Bearer vc_live_…\` instead of \`VF-ORG-ID\`.

Only the response that creates or rotates a key contains its secret. Rotate a key by storing the new secret while the earlier ones are still valid (\`graceSeconds\`); revoke it to reject all its secrets immediately.`,
  },
  'Own dashboard tokens': {
    group: 'Integration',
    description: `A dashboard token signs one person of your staff in to the console, as \`OWNER\` or \`MEMBER\`. Your platform, which knows the person, creates it when they ask for the console, and sends them to \`/console#code=…\` with the \`code\`, which works once, within a minute.

Each token is a session, which you end with its \`sessionId\`, or all of them at once. A key with the scope \`dashboard:issue\` signs in owners, who see everything: keep it as \`VF-ORG-ID\`.`,
  },
  'Audit log': {
    group: 'Integration',
    description: `The audit log says who changed keys, credentials, webhook endpoints or the organization, recorded or ended a class, removed a person, or read personal data, and from which address.

Entries are numbered without gaps, are never changed or deleted, and appear within seconds of the call. Guide: \`audit-log.md\`.`,
  },
  Health: {
    group: 'Integration',
    description: `Whether the service can be used. It needs no credentials.

\`degraded\` means that a feature is down and classes work; \`unhealthy\` is a 503. Poll every 30 to 60 seconds.`,
  },
  Privacy: {
    group: 'Integration',
    description: `An erasure removes the personal data of one participant from all classes, or of everyone from one class. It is \`PENDING\` or \`RUNNING\` until every service has erased, and then \`COMPLETED\`, with a signed receipt that lists what was erased by service and store.

A class that is still live is erased after its end. Charges, times and sums stay, under a random pseudonym. An export is a ZIP file with the data of one participant, one class or the whole organization, for requests of access and portability. It is deleted after seven days.

The guide *Data protection* has how long data is kept without an erasure.`,
  },
  'Class session': {
    group: 'In class',
    description: `What the class page calls with a participant's own token. Use it for a page or an app of your own.

*Open classroom session* exchanges the join token for LiveKit's address and token and a \`classroomToken\` for all other calls; call it again with that token before it expires. *Get class state* returns everything that the class shares, or what changed after a version.`,
  },
  'Class moderation': {
    group: 'In class',
    description: `Hands, the word, microphones and removal. A student raises a hand; a teacher, moderator or admin allows the student to speak, mutes or removes participants.

Each change gets a new class version and is pushed to everyone.`,
  },
  'Class chat': {
    group: 'In class',
    description: `Messages and reactions of everyone in class. Messages are ordered by \`version\` and kept; reactions are shown for a few seconds.

New messages arrive with the class state. *List chat messages* returns older ones.`,
  },
  'Class polls': {
    group: 'In class',
    description: `A poll is \`open\` until it is closed. Each participant votes once.

A teacher, moderator or admin creates and closes polls; their votes are part of the class state. Your backend reads the votes by name with *List polls* of the room.`,
  },
  'Class board': {
    group: 'In class',
    description: `A board of pages on which the class draws in [Excalidraw's](https://docs.excalidraw.com) form. The service decides the order of all changes: each gets the next version of the board, and is pushed to everyone on LiveKit's topic \`board\`.

Send strokes in batches while they are drawn. *Get board* returns everything, or what changed after a version: read it at the entry, after a gap in the versions, and after a reconnection.`,
  },
  'Class documents': {
    group: 'In class',
    description: `The documents of a class, such as slides. Everyone in class sees them; teachers, moderators and admins add and delete them.

Addresses of pages are valid for about an hour: request them again before they end.`,
  },
  'Class tutor': {
    group: 'In class',
    description: `Students ask the tutor in class. A question that the tutor cannot answer, or that the student passes on, waits for the teacher until it is resolved.

The answer arrives as server-sent events; the other calls return the student's dialogue and the teacher's list.`,
  },
  Dashboard: {
    group: 'Dashboard',
    description: `The organization's own figures for its staff, with a dashboard token: a JWT for one person, created by an operator, valid for at most 12 hours.

An \`OWNER\` may change the branding; everything else is read-only for both roles. Call it from the dashboard's backend: there is no CORS.`,
  },
  Organizations: {
    group: 'Operators',
    description: `An organization is a school or a company that calls the API: the tenant. It may have a billing plan, verified domains that may embed its classes, and branding.

Create it, give its id to its backend as a secret, or create a first API key for it. Without a billing plan, calls that need one answer \`ORGANIZATION_SETUP_INCOMPLETE\`.`,
  },
  Ledger: {
    group: 'Operators',
    description: `The ledger is the append-only list of entries of an organization; their sum is its balance.

*Add credits* posts a top-up or, with a negative amount, a correction. Charges of classes are entries too, and *Explain charge* computes one again from its sessions. A postpaid organization gets a statement when a cycle closes.`,
  },
  'Organization credentials': {
    group: 'Operators',
    description: `Credentials of any organization for \`VF-ORG-ID\`. The first one is the \`organizationId\` in the answer that creates the organization.

Replace a value that became known: create another one here, give it to the organization, and revoke the first. In the paths of operators, an organization is named by its \`id\` or by a value of a credential; prefer the \`id\`, which is no secret.`,
  },
  'Organization API keys': {
    group: 'Operators',
    description: `API keys of any organization. Create its first key with the scope \`keys:manage\`; its own backend then manages the others.

Revoke a key here if the organization cannot.`,
  },
  'Dashboard tokens': {
    group: 'Operators',
    description: `A dashboard token is a JWT for one person and the dashboard of one organization, as \`OWNER\` or \`MEMBER\`.

Each token is a session, which you end with its \`sessionId\`, or all of them at once. The organization's backend makes its own with *Create own dashboard token*.`,
  },
  'AI settings': {
    group: 'Operators',
    description: `An organization's own models, prices, and what AI costs it in credits. Null means the installation's setting.

Keys of providers are write-only: they are stored encrypted, and no answer contains them.`,
  },
  'Operators’ audit log': {
    group: 'Operators',
    description: `The audit logs of all organizations, and that of the operators for calls that concern no organization.

The actor of an operator’s call is the name of the operator whose secret was used.`,
  },
  System: {
    group: 'Operators',
    description: `The processes of the installation with their versions, the slots of recorders, and what waits in queues and consumers.

It shows the present alone. For alerts and histories, collect the metrics of the processes.`,
  },
  'Dead letters': {
    group: 'Operators',
    description: `A dead letter is a message that a consumer gave up after its retries. It is kept for 30 days.

Fix the cause, replay one dead letter, then the others; discard those that have no use. The content of a message is personal data of a class, and no answer has it. Replay and discard are in the operators' audit log.`,
  },
  'Media plane': {
    group: 'Operators',
    description: `The webhook that LiveKit calls, authenticated by its signature over the body.

Configure this address in LiveKit; nothing else calls it.`,
  },
};
