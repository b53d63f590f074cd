import type { Body, WebhookDelivery, WebhookEndpoint } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, type Extent, group, paged, pageSize, parseList, parseTime, take } from './declare.js';
import { addListen } from './listen.js';

type EventTypes = Body<'createWebhookEndpoint'>['eventTypes'];

interface Change {
  to?: string;
  types?: string[];
  description?: string;
  enable?: boolean;
  disable?: boolean;
}

interface Replay {
  delivery?: string;
  since?: string;
  until?: string;
  types?: string[];
  missed?: boolean;
}

const endpointArgument = (command: Command) => command.argument('<endpointId>', 'id of the endpoint');

export function addWebhooks(program: Command, session: Session): void {
  const webhooks = group(program, 'webhooks', 'webhook endpoints, their deliveries, and forwarding to your own machine');
  addListen(webhooks, session);
  addEndpoints(webhooks, session);

  endpointArgument(
    paged(
      declare(webhooks, 'deliveries', 'list the deliveries to an endpoint, newest first', [
        'webhooks deliveries we_8Lm2Np5Qr8Sv1Tg4Jk7x --status failed',
      ]),
    ),
  )
    .addOption(choice('--status <status>', 'deliveries of this status only', ['pending', 'delivered', 'failed']))
    .action(async (endpointId: string, { status, ...extent }: Extent & { status?: WebhookDelivery['status'] }) => {
      const pages = session.client().webhookEndpoints.deliveries(endpointId, { status, limit: pageSize(extent) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['delivery', ({ deliveryId }) => deliveryId],
          ['type', ({ type }) => type],
          ['status', ({ status }) => status],
          ['attempts', ({ attempts }) => attempts],
          ['answer', ({ lastAttempt }) => lastAttempt?.statusCode ?? lastAttempt?.error],
          ['created', ({ createdAt }) => time(createdAt)],
        ],
        'There are no such deliveries.',
      );
    });
}

function addEndpoints(webhooks: Command, session: Session): void {
  declare(webhooks, 'list', 'list the endpoints of the organization', ['webhooks list']).action(async () =>
    session.print.list(
      (await session.client().webhookEndpoints.list()).endpoints,
      [
        ['endpoint', ({ endpointId }) => endpointId],
        ['address', ({ url }) => url],
        ['enabled', ({ isEnabled }) => isEnabled],
        ['types', typesText],
      ],
      'There are no endpoints. Create one with: vc webhooks create <address>',
    ),
  );

  declare(webhooks, 'create', 'create an endpoint', [
    'webhooks create https://school.example/hooks --types room.finished,recording.completed',
  ])
    .argument('<address>', 'public HTTPS address that receives the events')
    .option('--types <types>', 'events of these types only, separated by commas', parseList)
    .option('--description <text>', 'a note of your own')
    .action(async (url: string, { types, description }: Change) => {
      const created = await session.client().webhookEndpoints.create({ url, eventTypes: types as EventTypes, description });
      session.print.record(created, { ...fieldsOf(created), 'Signing secret': created.secret });
      session.print.note('The signing secret is shown only here.');
    });

  endpointArgument(declare(webhooks, 'get', 'show an endpoint', ['webhooks get we_8Lm2Np5Qr8Sv1Tg4Jk7x'])).action(
    async (endpointId: string) => {
      const endpoint = await session.client().webhookEndpoints.get(endpointId);
      session.print.record(endpoint, fieldsOf(endpoint));
    },
  );

  endpointArgument(
    declare(webhooks, 'update', 'change, disable or enable an endpoint', [
      'webhooks update we_8Lm2Np5Qr8Sv1Tg4Jk7x --enable',
      'webhooks update we_8Lm2Np5Qr8Sv1Tg4Jk7x --types room.finished',
    ]),
  )
    .option('--to <address>', 'new address')
    .option('--types <types>', 'events of these types only, separated by commas', parseList)
    .option('--description <text>', 'a note of your own')
    .option('--enable', 'send events again, also those that wait')
    .option('--disable', 'send no events')
    .action(async (endpointId: string, { to, types, description, enable, disable }: Change) => {
      if (enable && disable) throw new CommandError('--enable and --disable are both given', 'Give one of them.');
      const isEnabled = enable ? true : disable ? false : undefined;
      const changed = await session
        .client()
        .webhookEndpoints.update(endpointId, { url: to, eventTypes: types as EventTypes, description, isEnabled });
      session.print.record(changed, fieldsOf(changed));
    });

  endpointArgument(
    declare(webhooks, 'delete', 'delete an endpoint with its deliveries', ['webhooks delete we_8Lm2Np5Qr8Sv1Tg4Jk7x']),
  ).action(async (endpointId: string) => {
    const deleted = await session.client().webhookEndpoints.delete(endpointId);
    session.print.record(deleted, { Endpoint: deleted.endpointId, Deleted: time(deleted.deletedAt) });
  });

  endpointArgument(declare(webhooks, 'test', 'send a ping to an endpoint', ['webhooks test we_8Lm2Np5Qr8Sv1Tg4Jk7x'])).action(
    async (endpointId: string) => {
      const delivery = await session.client().webhookEndpoints.test(endpointId);
      session.print.record(delivery, deliveryFields(delivery));
    },
  );

  endpointArgument(
    declare(webhooks, 'rotate-secret', 'create a new signing secret; the previous one also signs for 24 hours', [
      'webhooks rotate-secret we_8Lm2Np5Qr8Sv1Tg4Jk7x',
    ]),
  ).action(async (endpointId: string) => {
    const rotated = await session.client().webhookEndpoints.rotateSecret(endpointId);
    session.print.record(rotated, {
      Endpoint: rotated.endpointId,
      'Signing secret': rotated.secret,
      'Previous secret until': time(rotated.previousSecretExpiresAt),
    });
    session.print.note('The signing secret is shown only here.');
  });
}

export function addReplay(program: Command, session: Session): void {
  endpointArgument(
    declare(program, 'replay', 'send webhooks of an endpoint again: one delivery, or the failed or missed ones of a period', [
      'replay we_8Lm2Np5Qr8Sv1Tg4Jk7x --delivery wd_2Np5Qr8Sv1Tg4Jk7Lm9x',
      'replay we_8Lm2Np5Qr8Sv1Tg4Jk7x --since 2h',
      'replay we_8Lm2Np5Qr8Sv1Tg4Jk7x --since 2026-01-15T10:00:00Z --missed --types room.finished',
    ]),
  )
    .option('--delivery <deliveryId>', 'this delivery, whether it failed or not')
    .option('--since <time>', 'failed deliveries of events since then, or for this long: 30m, 2h, 7d', (text) => parseTime(text))
    .option('--until <time>', 'up to this time', (text) => parseTime(text))
    .option('--types <types>', 'events of these types only, separated by commas', parseList)
    .option('--missed', 'events that the endpoint did not receive because it did not exist, was disabled or was not subscribed')
    .action(async (endpointId: string, { delivery, since, until, types, missed }: Replay) => {
      if ((delivery === undefined) === (since === undefined))
        throw new CommandError('What to send again is not clear', 'Give either --delivery or --since.');
      const { webhookEndpoints } = session.client();
      if (delivery !== undefined) {
        const sent = await webhookEndpoints.replayDelivery(endpointId, delivery);
        return session.print.record(sent, deliveryFields(sent));
      }
      const body = { since: since ?? '', until, types: types as EventTypes, status: missed ? ('missed' as const) : undefined };
      let queued = 0;
      for (let hasMore = true; hasMore;) {
        const replayed = await webhookEndpoints.replay(endpointId, body);
        queued += replayed.queued;
        hasMore = replayed.hasMore && replayed.queued > 0;
      }
      session.print.record({ endpointId, queued }, { Endpoint: endpointId, Queued: queued });
    });
}

const typesText = ({ eventTypes }: WebhookEndpoint) => (eventTypes.length > 0 ? eventTypes : 'all');

const fieldsOf = (endpoint: WebhookEndpoint) => ({
  Endpoint: endpoint.endpointId,
  Address: endpoint.url,
  Types: typesText(endpoint),
  Description: endpoint.description,
  Enabled: endpoint.isEnabled,
  'Disabled because': endpoint.disabledReason,
  'Failing since': time(endpoint.failingSince),
  Created: time(endpoint.createdAt),
});

const deliveryFields = ({ deliveryId, type, status, attempts }: WebhookDelivery) => ({
  Delivery: deliveryId,
  Type: type,
  Status: status,
  Attempts: attempts,
});
