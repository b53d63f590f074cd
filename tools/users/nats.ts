import type { AppName, ConsumerDeclaration, EventContract, RpcContract } from '@classroom/contracts';
import { type Library, membersOf } from '../contracts/list-contracts.ts';

/** What one NATS user may do. Everything else is refused. */
export interface Permissions {
  publish: string[];
  subscribe: string[];
}

/** The apps, each with a NATS user of its name. The user `operator` applies streams and runs the dead-letter tool, and may do everything. */
export const APPS: readonly AppName[] = ['gateway', 'organization', 'room', 'recording', 'recorder', 'billing', 'ai', 'media'];

/** Subjects of LiveKit's events: the gateway stores webhooks, and the recorder the events of its own captures. */
const LIVEKIT: Partial<Record<AppName, string>> = { gateway: 'livekit.>', recorder: 'livekit.egress.>' };

/** The app with which operators list, replay and discard dead letters. */
const REPLAYS: AppName = 'organization';

/** The permissions of an app's user, derived from the contracts. */
export function permissionsOf(app: AppName, library: Library): Permissions {
  const members = membersOf(library);
  const rpcs = [
    ...members.filter((it): it is typeof it & RpcContract => 'callers' in it),
    ...APPS.flatMap((service) => (service === 'gateway' ? [] : [library.healthRpc(service)])),
  ];
  const events = members.filter((it): it is typeof it & EventContract => 'watchers' in it);
  const consumers: ConsumerDeclaration[] = Object.values({ ...library.CONSUMERS, ...library.OPTIONAL_CONSUMERS });
  const own = rpcs.filter(({ service }) => service === app);
  const called = rpcs.filter(({ callers }) => callers.includes(app));
  const read = consumers.filter(({ service }) => service === app);
  const streams = (contracts: RpcContract[]) => contracts.filter(({ output }) => output === library.streamStarted);
  const readers = [...new Set(streams(own).flatMap(({ callers }) => callers))];
  const writers = [...new Set(streams(called).map(({ service }) => service))];
  // The gateway reads text streams of all services, at the inboxes that those of the last release accept.
  const isGateway = app === 'gateway';
  return {
    publish: sorted([
      ...called.flatMap(subjectsOf),
      ...events.filter(({ service }) => service === app).map(({ subjectPrefix }) => `${subjectPrefix}.*`),
      ...(LIVEKIT[app] ? [LIVEKIT[app]] : []),
      ...(app === 'gateway' ? library.STREAMS.AUDIT.subjects : []),
      ...(app === 'organization' ? [library.eventsAppendedSubject('*')] : []),
      // Frames to the reader of a text stream, and control messages to its writer.
      ...readers.map((reader) => (reader === 'gateway' ? '_INBOX.*' : `_STREAM.${reader}.>`)),
      // The last release's writers receive control messages at _INBOX.
      ...(isGateway ? ['_STREAM.>', '_INBOX.*'] : writers.map((writer) => `_STREAM.${writer}.>`)),
      ...Object.values(library.STREAMS).map(({ name }) => `$JS.API.STREAM.INFO.${name}`),
      ...read.flatMap(consumerSubjects),
      ...(app === REPLAYS ? deadLetterSubjects(consumers, library.STREAMS.DLQ.name) : []),
    ]),
    subscribe: sorted([
      `_INBOX.${app}.>`,
      ...(own.length > 0 ? [`rpc.${app}.>`] : []),
      ...events.filter(({ watchers }) => watchers.includes(app)).map(({ subjectPrefix }) => `${subjectPrefix}.*`),
      ...(readers.length > 0 || (writers.length > 0 && !isGateway) ? [`_STREAM.${app}.>`] : []),
      // NATS takes this for `_INBOX.>` as well.
      ...(isGateway ? ['_INBOX.*'] : []),
      ...(app === 'gateway' ? [library.eventsAppendedSubject('*')] : []),
      library.CLOCK_SUBJECT,
      ...(app === 'organization' ? [library.SANDBOX_EVENT_SUBJECT] : []),
    ]),
  };
}

/** A capture has a subject of its own below that of its contract. */
const subjectsOf = ({ service, subject }: RpcContract) => (service === 'recorder' ? [subject, `${subject}.*`] : [subject]);

/** Reading a durable consumer, acknowledging its messages, setting one aside, and the metrics about it. */
function consumerSubjects({ stream, durable, isOptional }: ConsumerDeclaration): string[] {
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.ACK.${stream}.${durable}.>`,
    `dlq.${stream}.${durable}`,
    // Created by the first and updated by the second.
    ...(isOptional ? ['DURABLE.CREATE', 'CREATE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${durable}`) : []),
  ];
}

/** Reading and deleting a dead letter, and publishing it again for its consumer: everything that some consumer reads, and nothing else. */
const deadLetterSubjects = (consumers: ConsumerDeclaration[], stream: string) => [
  ...['GET', 'DELETE'].map((verb) => `$JS.API.STREAM.MSG.${verb}.${stream}`),
  ...consumers.flatMap(({ filterSubjects }) => filterSubjects),
];

const sorted = (subjects: string[]) => [...new Set(subjects)].sort();

/** The part of a server's configuration with all users. Their passwords come from the server's environment, `NATS_<APP>_PASSWORD`. */
export function usersConfig(library: Library): string {
  const list = (subjects: string[]) => subjects.map((subject) => `          ${JSON.stringify(subject)}`).join('\n');
  const users = APPS.map((app) => {
    const { publish, subscribe } = permissionsOf(app, library);
    return `    {
      user: ${app}
      password: $NATS_${app.toUpperCase()}_PASSWORD
      permissions: {
        # One reply to each request that this user receives.
        allow_responses: true
        publish: { allow: [
${list(publish)}
        ] }
        subscribe: { allow: [
${list(subscribe)}
        ] }
      }
    }`;
  });
  return `# Written by \`npm run generate -- users\` from libs/contracts.
authorization: {
  # Seconds for a client to log in. NATS's own 2 s end connections of processes that just start on a busy machine.
  timeout: 20
  users: [
    # Applies streams and consumers, replays dead letters.
    { user: operator, password: $NATS_OPERATOR_PASSWORD }
${users.join('\n')}
  ]
}
`;
}
