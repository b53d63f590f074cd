import { z } from 'zod';
import type { ServiceName } from '../kernel/rpc.js';

/** How long data of a class is kept: `default` and limits in `unit`, set per organization; or a rule that no setting changes. */
type Keeping = { unit: 'days' | 'hours'; default: number; min: number; max: number } | string;

interface DataClass {
  contains: string;
  purpose: string;
  /** The services that store it, each in its own schema, bucket prefix or stream. */
  owners: readonly ServiceName[];
  /** When its time begins. */
  since: string;
  kept: Keeping;
  /** What happens to it at the end of its time, and when a person is erased. */
  erasure: string;
  /** Facts of 0.2.0 do not have it. */
  isNew?: true;
}

const SCHOOL_YEAR = { unit: 'days', default: 365, min: 1, max: 1_095 } as const;

/**
 * Every class of personal data that the system stores: the data map of the documentation, the settings of an organization and the sweeps of
 * the services follow from it.
 */
export const DATA_CLASSES = {
  presence: {
    contains:
      'who was in which class when: uid, name, role, permissions and picture address of a participant, and the times of each connection; the roster of a class: uid and name',
    purpose: 'attendance, session reports and billing',
    owners: ['room', 'billing'],
    since: 'the end of the class (room), its final charge (billing)',
    kept: { unit: 'days', default: 1_095, min: 90, max: 3_650 },
    erasure: 'uid and name are replaced by a random pseudonym for each class; times and charges stay; the roster is deleted',
  },
  consents: {
    contains: 'who granted or refused which consent in which class: uid, version and hash of the text, answer and time',
    purpose: 'proof of consent',
    owners: ['room'],
    since: '',
    kept: 'as long as the class; the uid as `presence`',
    erasure: 'the uid is replaced by the pseudonym of `presence`; the answer stays',
  },
  addresses: {
    contains: 'IP addresses of participants',
    purpose: 'session reports; investigation of abuse',
    owners: ['room', 'billing'],
    since: 'the end of the class (room), its final charge (billing)',
    kept: { unit: 'days', default: 30, min: 1, max: 365 },
    erasure: 'deleted',
  },
  chat: {
    contains: 'chat messages and reactions of a class',
    purpose: 'the conversation of a class',
    owners: ['room'],
    since: 'the end of the class',
    kept: SCHOOL_YEAR,
    erasure: 'deleted',
  },
  polls: {
    contains: 'polls of a class and who voted for what',
    purpose: 'polls of a class',
    owners: ['room'],
    since: 'the end of the class',
    kept: SCHOOL_YEAR,
    erasure: 'deleted',
  },
  board: {
    contains: 'the board of a class: what was drawn and written on it, and by whom',
    purpose: 'the board of a class',
    owners: ['room'],
    since: 'the end of the class',
    kept: SCHOOL_YEAR,
    erasure: 'what the person drew is deleted',
    isNew: true,
  },
  engagement: {
    contains:
      'how long a participant spoke and showed the camera, how often they raised a hand or reacted, and the quality of the connection in each minute',
    purpose: 'reports of participation; explaining a bad connection',
    owners: ['room'],
    since: 'the end of the class',
    kept: { unit: 'days', default: 30, min: 1, max: 365 },
    erasure: 'deleted',
  },
  aiDialogues: {
    contains:
      'questions to the AI agent and the AI tutor, their answers, teachers’ written answers with their names, and summaries of them; the uid of who asked, of the agent only where the backend names it',
    purpose: 'the memory of a dialogue; questions that wait for a teacher',
    owners: ['ai'],
    since: 'the last turn of the dialogue',
    kept: SCHOOL_YEAR,
    erasure: 'deleted; of the usage, tokens and cost stay',
  },
  recordings: {
    contains: 'recordings of classes: faces, voices, screens and the board',
    purpose: 'download by the organization',
    owners: ['recording'],
    since: 'the end of the class',
    kept: { unit: 'hours', default: 6, min: 6, max: 8_760 },
    erasure: 'the files are deleted; id, status and times of the recording stay, and copies in the organization’s own bucket',
  },
  videos: {
    contains: 'videos that the organization uploaded or published from a recording',
    purpose: 'playback',
    owners: ['media'],
    since: '',
    kept: 'until the organization deletes them',
    erasure: 'deleted',
  },
  documents: {
    contains: 'documents of a class, such as slides: the file, pictures of its pages and their text',
    purpose: 'shown in class; what the AI tutor knows of the class',
    owners: ['media'],
    since: '',
    kept: 'until the organization deletes them',
    erasure: 'deleted with their class or the organization; kept when a person is erased',
  },
  events: {
    contains: 'the event history and deliveries of outgoing webhooks, with uid and name of participants',
    purpose: 'the organization’s own systems',
    owners: ['organization'],
    since: 'the event',
    kept: '30 days',
    erasure: 'deleted',
  },
  audit: {
    contains: 'who made an audited call, from which IP address, and whom or what it was about: staff, and uids of participants',
    purpose: 'accountability',
    owners: ['organization'],
    since: '',
    kept: 'as long as the organization exists: entries are a chain, from which none can be removed',
    erasure: 'kept',
  },
  erasures: {
    contains: 'who or what was erased, encrypted: uid, class or organization',
    purpose: 'repeating erasures after the database is restored from an older backup',
    owners: ['organization'],
    since: 'the completion of the erasure',
    kept: 'as long as backups: `BACKUP_DAYS`, by default 35',
    erasure: 'deleted at the end of this time',
  },
  exports: {
    contains: 'files with the data of a participant, a class or the whole organization that the organization requested',
    purpose: 'access and portability',
    owners: ['organization'],
    since: 'the completion of the export',
    kept: '7 days',
    erasure: 'deleted; exports of a class or of the organization that contain the person expire',
  },
  billing: {
    contains: 'credits, charges and statements of an organization; no person',
    purpose: 'billing',
    owners: ['billing'],
    since: '',
    kept: 'as long as the law on accounting requires',
    erasure: 'kept',
  },
  messages: {
    contains: 'facts between the services, with uid, name and IP address of participants',
    purpose: 'delivery to services that were unreachable',
    owners: ['room', 'recording', 'billing', 'ai', 'media', 'organization'],
    since: 'the fact',
    kept: '3 days in the stream of LiveKit’s webhooks, 30 days in the others',
    erasure: 'expire',
  },
  logs: {
    contains:
      'ids of classes, connections and requests in logs and traces; no ids of organizations or participants, no names, texts or secrets',
    purpose: 'operation',
    owners: ['room', 'recording', 'billing', 'ai', 'media', 'organization', 'recorder'],
    since: 'the log line',
    kept: 'as the operator configures the log and trace store',
    erasure: 'expire',
  },
} as const satisfies Record<string, DataClass>;

export type DataClassName = keyof typeof DATA_CLASSES;

/** The classes whose time an organization can set. */
export type RetainedClass = { [Name in DataClassName]: (typeof DATA_CLASSES)[Name]['kept'] extends string ? never : Name }[DataClassName];

const RETAINED = Object.entries<DataClass>(DATA_CLASSES).flatMap(([name, { kept, contains, isNew = false }]) =>
  typeof kept === 'string' ? [] : [{ name: name as RetainedClass, contains, isNew, ...kept }],
);

/** A class whose time an organization can set. */
export const retainedClass = z.enum(RETAINED.map(({ name }) => name));

type Shape<Value extends z.ZodType> = Record<RetainedClass, Value>;
const shapeOf = <Value extends z.ZodType>(toValue: (it: (typeof RETAINED)[number]) => Value): Shape<Value> =>
  Object.fromEntries(RETAINED.map((it) => [it.name, toValue(it)])) as Shape<Value>;

const number = (value: number) => value.toLocaleString('en-US');

/** What a caller sets. Null returns to the default. */
export const retentionChanges = z.object(
  shapeOf(({ unit, default: usual, min, max, contains }) =>
    z
      .number()
      .int()
      .min(min)
      .max(max)
      .nullish()
      .describe(
        `Whole ${unit} for which these are kept: ${contains}. ${number(min)} to ${number(max)}. Null: the default, ${number(usual)}.`,
      ),
  ),
);
export type RetentionChanges = z.infer<typeof retentionChanges>;

/** The times in force. */
export const retention = z.object(
  shapeOf(({ unit, contains, isNew, default: usual }) =>
    (isNew ? z.number().default(usual) : z.number()).describe(`Whole ${unit} for which these are kept: ${contains}.`),
  ),
);
export type Retention = z.infer<typeof retention>;

/** @param set what the organization has set; other classes have their default */
export const retentionOf = (set: RetentionChanges | null): Retention =>
  Object.fromEntries(RETAINED.map(({ name, default: usual }) => [name, set?.[name] ?? usual])) as Retention;
