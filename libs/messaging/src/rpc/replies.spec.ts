import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@classroom/contracts';
import { LOGO_PART_BYTES, type RpcContract } from '@classroom/contracts';

type Schema = RpcContract['output'];

/** The default maximum size of a NATS message, minus one kilobyte for headers and envelope. */
const MOST_BYTES = 1024 * 1024 - 1024;
const APPS = join(__dirname, '..', '..', '..', '..', 'apps');

/** Maximum bytes of one character in JSON: a control character is written as \\u0001. */
const CHARACTER = 6;
/** Maximum bytes of a text in JSON, by the name of its field. Ids, enums, hashes and timestamps are ASCII and shorter than `OTHER`. */
const OTHER = 128;
const TEXT: Record<string, number> = {
  name: 256 * CHARACTER,
  title: 256 * CHARACTER,
  roomTitle: 256 * CHARACTER,
  fileName: 256 * CHARACTER,
  message: 500 * CHARACTER,
  note: 1_000 * CHARACTER,
  reference: 128 * CHARACTER,
  description: 256 * CHARACTER,
  responseBody: 1_024 * CHARACTER,
  url: 2_048 * 3,
  logoUrl: 2_048 * 3,
  logoPart: (LOGO_PART_BYTES / 3) * 4 + 4,
  downloadUrl: 1_200,
  /** Prefix, roomId and recordingId. */
  key: 512,
  label: 64 * CHARACTER,
  verifiedDomains: 253 + 3,
  domain: 253 + 3,
  names: 256 * CHARACTER,
  text: 120 * CHARACTER,
};

interface Bound {
  /** Why there cannot be more: a limit of the request, of the caller, or of what can be stored. */
  why: string;
  /** Maximum number of items in each list, outermost first, by its `path[]`. */
  items: Record<string, number>;
}
/** The handler ends a page when a message is full. The path is relative to the folder of the apps. */
interface Pages {
  pages: `${string}.ts`;
}

const EXPORT = { why: 'one entry for each file', items: { 'waitingFor[]': 10, 'stores[]': 100 } };
const REPORT = { why: 'two roles, and at most 20 of each by the contract', items: { 'roles[]': 2, 'queues[]': 20, 'consumers[]': 20 } };
const EXPORT_PAGE = { pages: '../libs/messaging/src/export/export-page.ts' } as const;

/** Every call whose reply contains a list for which the contract declares no limit. */
const REPLIES: Record<string, Bound | Pages> = {
  'rpc.ai.agent.voices.v1': { why: 'the voices that a provider is known to have', items: { 'voices[]': 200 } },
  'rpc.ai.tutor.summary.v1': { pages: 'ai/src/tutor/summarize-class.ts' },
  'rpc.ai.tutor.costs.v1': { why: 'limit ≤ 100', items: { 'students[]': 100 } },
  'rpc.ai.tutor.count-questions.v1': { why: 'its caller asks for 200', items: { 'students[]': 200 } },
  'rpc.ai.tutor.dialogue.v1': { pages: 'ai/src/tutor/get-tutor-dialogue.ts' },
  'rpc.ai.tutor.answer-question.v1': { pages: 'ai/src/tutor/open-questions.ts' },
  'rpc.ai.tutor.open-questions.v1': { pages: 'ai/src/tutor/open-questions.ts' },
  'rpc.ai.tutor.resolve-question.v1': { pages: 'ai/src/tutor/open-questions.ts' },
  'rpc.ai.process.report.v1': REPORT,
  'rpc.billing.process.report.v1': REPORT,
  'rpc.gateway.process.report.v1': REPORT,
  'rpc.media.process.report.v1': REPORT,
  'rpc.organization.process.report.v1': REPORT,
  'rpc.recorder.process.report.v1': REPORT,
  'rpc.recording.process.report.v1': REPORT,
  'rpc.room.process.report.v1': REPORT,
  'rpc.ai.export.page.v1': EXPORT_PAGE,
  'rpc.ai.settings.get.v1': { why: 'at most 100 prices are accepted', items: { 'prices[]': 100 } },
  'rpc.ai.settings.update.v1': { why: 'at most 100 prices are accepted', items: { 'prices[]': 100 } },
  'rpc.billing.credit-alerts.get.v1': { why: 'at most 10 of each are accepted', items: { 'remaining[]': 10, 'consumed[]': 10 } },
  'rpc.billing.credit-alerts.set.v1': { why: 'at most 10 of each are accepted', items: { 'remaining[]': 10, 'consumed[]': 10 } },
  'rpc.billing.ledger.list.v1': { why: 'limit ≤ 100', items: { 'entries[]': 100 } },
  'rpc.billing.ledger.explain.v1': { pages: 'billing/src/credits/explain-entry.ts' },
  'rpc.billing.export.page.v1': EXPORT_PAGE,
  'rpc.billing.statement.list.v1': { why: 'one a week, for twenty years', items: { '[]': 1_040 } },
  'rpc.billing.report.sessions.v1': {
    why: 'limit ≤ 10, ten sessions a group',
    items: { 'roomGroups[]': 10, 'roomGroups[].sessions[]': 10, 'sessions[]': 10 },
  },
  'rpc.billing.report.attendance.v1': { pages: 'billing/src/reports/attendance.ts' },
  'rpc.billing.usage.days.v1': { why: 'at most 366 days are accepted', items: { 'days[]': 366 } },
  'rpc.billing.usage.classes.v1': { why: 'MAX_CHARGED_CLASSES', items: { 'classes[]': 400 } },
  'rpc.media.export.page.v1': EXPORT_PAGE,
  'rpc.media.video.list.v1': { why: 'limit ≤ 100', items: { 'videos[]': 100 } },
  'rpc.media.video.add-caption.v1': { why: 'one a language', items: { 'captions[]': 1_000 } },
  'rpc.organization.api-key.create.v1': { why: 'at most 50 scopes are accepted', items: { 'scopes[]': 50 } },
  'rpc.organization.api-key.list.v1': { why: '20 keys, 50 scopes each', items: { 'apiKeys[]': 20, 'apiKeys[].scopes[]': 50 } },
  'rpc.organization.api-key.revoke.v1': { why: 'at most 20 keys', items: { 'alsoRevoked[]': 20 } },
  'rpc.organization.audit.list.v1': { pages: 'organization/src/audit/list-audit.ts' },
  'rpc.organization.audit.list-of-all.v1': { pages: 'organization/src/audit/list-audit.ts' },
  'rpc.organization.dead-letter.list.v1': { pages: 'organization/src/dead-letters/list-dead-letters.ts' },
  'rpc.organization.domain.list.v1': { why: '100 verified domains, and at most 100 others', items: { 'domains[]': 200 } },
  'rpc.organization.credential.list.v1': { why: '10 credentials', items: { 'credentials[]': 10 } },
  'rpc.organization.api-key.rotate.v1': { why: 'at most 50 scopes are accepted', items: { 'scopes[]': 50 } },
  'rpc.organization.api-key.find.v1': { why: '50 scopes, 6 secrets', items: { 'scopes[]': 50, 'secrets[]': 6 } },
  'rpc.organization.logo.put.v1': { why: 'at most 100 domains are accepted', items: { 'verifiedDomains[]': 100 } },
  'rpc.organization.organization.create.v1': { why: 'at most 100 domains are accepted', items: { 'verifiedDomains[]': 100 } },
  'rpc.organization.organization.get.v1': { why: 'at most 100 domains are accepted', items: { 'verifiedDomains[]': 100 } },
  'rpc.organization.organization.list.v1': { pages: 'organization/src/organizations/organizations.ts' },
  'rpc.organization.organization.update.v1': { why: 'at most 100 domains are accepted', items: { 'verifiedDomains[]': 100 } },
  'rpc.organization.webhook.create.v1': { why: 'at most 100 types are accepted', items: { 'eventTypes[]': 100 } },
  'rpc.organization.webhook.list.v1': {
    why: '16 endpoints, 100 types each',
    items: { 'endpoints[]': 16, 'endpoints[].eventTypes[]': 100 },
  },
  'rpc.organization.webhook.get.v1': { why: 'at most 100 types are accepted', items: { 'eventTypes[]': 100 } },
  'rpc.organization.webhook.update.v1': { why: 'at most 100 types are accepted', items: { 'eventTypes[]': 100 } },
  'rpc.organization.webhook.rotate-secret.v1': { why: 'at most 100 types are accepted', items: { 'eventTypes[]': 100 } },
  'rpc.organization.webhook.deliveries.v1': { why: 'limit ≤ 100', items: { 'deliveries[]': 100 } },
  'rpc.organization.erasure.create.v1': {
    why: 'one entry for each kind of data',
    items: { 'waitingFor[]': 10, 'receipt.stores[]': 100, 'receipt.remaining[]': 10 },
  },
  'rpc.organization.erasure.get.v1': {
    why: 'one entry for each kind of data',
    items: { 'waitingFor[]': 10, 'receipt.stores[]': 100, 'receipt.remaining[]': 10 },
  },
  'rpc.organization.organization.delete.v1': {
    why: 'one entry for each kind of data',
    items: { 'waitingFor[]': 10, 'receipt.stores[]': 100, 'receipt.remaining[]': 10 },
  },
  'rpc.organization.organization.erasure.v1': {
    why: 'one entry for each kind of data',
    items: { 'waitingFor[]': 10, 'receipt.stores[]': 100, 'receipt.remaining[]': 10 },
  },
  'rpc.organization.export.create.v1': EXPORT,
  'rpc.organization.export.get.v1': EXPORT,
  'rpc.organization.organization.retentions.v1': {
    why: 'limit ≤ 100, and one for each class of data',
    items: { 'organizations[]': 100, 'organizations[].set[]': 20 },
  },
  'rpc.organization.event.list.v1': { pages: 'organization/src/events/list-events.ts' },
  'rpc.recording.export.page.v1': EXPORT_PAGE,
  'rpc.recording.recording.list.v1': { pages: 'recording/src/files/list-recordings.ts' },
  'rpc.recording.recording.download.v1': { pages: 'recording/src/files/download-recordings.ts' },
  'rpc.room.presets.list.v1': { why: 'MAX_PRESETS', items: { 'presets[]': 50 } },
  'rpc.room.rooms.consents.v1': { why: 'limit ≤ 200', items: { 'consents[]': 200 } },
  'rpc.room.classroom.open-session.v1': { why: 'four names', items: { 'present.names[]': 4 } },
  'rpc.room.class.state.v1': { pages: 'room/src/interaction/class-states.ts' },
  'rpc.room.class.raise-hand.v1': { pages: 'room/src/interaction/class-states.ts' },
  'rpc.room.class.lower-hand.v1': { pages: 'room/src/interaction/class-states.ts' },
  'rpc.room.class.lower-all-hands.v1': { pages: 'room/src/interaction/class-states.ts' },
  'rpc.room.class.mute-everyone.v1': { why: '5,000 uids of 128 letters', items: { 'muted[]': 5_000 } },
  'rpc.room.class.allow-to-speak.v1': { pages: 'room/src/interaction/class-states.ts' },
  'rpc.room.class.list-chat.v1': { pages: 'room/src/interaction/chat.repository.ts' },
  'rpc.room.class.chat-page.v1': { pages: 'room/src/interaction/chat.repository.ts' },
  'rpc.room.class.create-poll.v1': { why: '10 options', items: { 'options[]': 10 } },
  'rpc.room.class.vote.v1': { why: '10 options', items: { 'poll.options[]': 10 } },
  'rpc.room.class.close-poll.v1': { why: '10 options', items: { 'options[]': 10 } },
  'rpc.room.rooms.waiting.v1': { why: 'the first 500', items: { 'participants[]': 500 } },
  'rpc.room.export.page.v1': EXPORT_PAGE,
  'rpc.room.room.attendance-basis.v1': { pages: 'room/src/reports/evaluate-attendance.ts' },
  'rpc.room.room.describe.v1': { why: 'ten names; metadata is 8 KiB', items: { 'teachers[]': 10 } },
  'rpc.room.room.student-names.v1': { pages: 'room/src/reports/list-participants.ts' },
  'rpc.room.room.connections.v1': { why: 'its caller asks for 200', items: { 'connections[]': 200 } },
  'rpc.room.room.stays.v1': { why: 'limit ≤ 500; a position has few parts', items: { 'stays[]': 500, 'next[]': 10 } },
  'rpc.room.room.finished-since.v1': { why: 'its caller asks for 200', items: { 'rooms[]': 200 } },
  'rpc.room.rooms.engagement.v1': { why: 'limit ≤ 200', items: { 'participants[]': 200 } },
  'rpc.room.rooms.quality.v1': { why: 'MOST_CAUSES, MAX_MINUTES', items: { 'causes[]': 50, 'minutes[]': 1_000 } },
  'rpc.room.rooms.list.v1': { why: 'limit ≤ 100', items: { 'rooms[]': 100, 'rooms[].teachers[]': 3 } },
  'rpc.room.rooms.participants.v1': { pages: 'room/src/reports/list-participants.ts' },
};

const isRpc = (it: unknown): it is RpcContract =>
  typeof it === 'object' && it !== null && 'subject' in it && 'output' in it && String(it.subject).startsWith('rpc.');

const exported: unknown[] = Object.values(contracts);
/** All operations, and the RPCs that are declared in groups. Several operations may share an RPC. */
const declared = [
  ...new Map(
    exported
      .flatMap((it) =>
        isRpc(it) ? [it] : typeof it === 'object' && it !== null ? Object.values(it as Record<string, unknown>).filter(isRpc) : [],
      )
      .map((it) => [it.subject, it] as const),
  ).values(),
];

interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  options?: Schema[];
  innerType?: Schema;
  out?: Schema;
}
const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

/** Maximum number of items of a list, if its schema declares it: `z.array(…).max(100)`. */
const declaredMost = (schema: Schema) => (schema._zod.bag as { maximum?: number }).maximum;

/** The lists in a schema that have no such limit, as `rooms[]` or `rooms[].names[]`. */
function listsIn(schema: Schema, path = ''): string[] {
  const { type, shape = {}, element, options = [], innerType, out } = definitionOf(schema);
  if (type === 'array' && element) return [...(declaredMost(schema) === undefined ? [`${path}[]`] : []), ...listsIn(element, `${path}[]`)];
  const inside = [...options, innerType, out].filter((it) => it !== undefined);
  return [
    ...Object.entries(shape).flatMap(([key, it]) => listsIn(it, path ? `${path}.${key}` : key)),
    ...inside.flatMap((it) => listsIn(it, path)),
  ];
}

/** Maximum bytes of a value in JSON; for a union, those of its largest member. */
function bytesOf(schema: Schema, items: Record<string, number>, path = ''): number {
  const { type, shape, element, options, innerType, out } = definitionOf(schema);
  if (type === 'array' && element)
    return 2 + (declaredMost(schema) ?? items[`${path}[]`] ?? Infinity) * (1 + bytesOf(element, items, `${path}[]`));
  if (shape)
    return (
      2 + Object.entries(shape).reduce((sum, [key, it]) => sum + key.length + 4 + bytesOf(it, items, path ? `${path}.${key}` : key), 0)
    );
  if (options) return Math.max(...options.map((it) => bytesOf(it, items, path)));
  const inner = innerType ?? out;
  if (inner) return bytesOf(inner, items, path);
  if (type === 'string') return 2 + (TEXT[path.replaceAll('[]', '').split('.').at(-1) ?? ''] ?? OTHER);
  if (type === 'record') return 8 * 1024 * CHARACTER;
  return 32;
}

describe('a reply over NATS', () => {
  const withLists = declared.filter(({ output }) => listsIn(output).length > 0);

  it('has a bound in this table if it contains a list without one in its contract', () => {
    expect(withLists.map(({ subject }) => subject).sort()).toEqual(Object.keys(REPLIES).sort());
    for (const { subject, output } of withLists) {
      const bound = REPLIES[subject];
      if (bound && 'items' in bound)
        expect([subject, Object.keys(bound.items).sort()]).toEqual([subject, [...new Set(listsIn(output))].sort()]);
    }
  });

  const bounded = declared.map(({ subject, output }) => ({
    subject,
    output,
    bound: REPLIES[subject] ?? { why: 'as its contract says', items: {} },
  }));

  it.each(bounded)('is smaller than the limit of NATS: $subject', ({ output, bound }) => {
    if ('pages' in bound) expect(readFileSync(join(APPS, bound.pages), 'utf8')).toMatch(/\bfitMessage\(/);
    else expect(bytesOf(output, bound.items)).toBeLessThan(MOST_BYTES);
  });
});
