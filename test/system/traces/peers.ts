import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestStack } from '@classroom/testing';
import type { Span } from './spans.js';

const TABLE = join(__dirname, '..', '..', '..', 'deploy', 'helm', 'virtual-classroom', 'files', 'apps.yaml');

/** Calls without a span, and why. */
export const UNSEEN: Record<string, string> = {
  'gateway → pictures': 'no participant of this class has a photo',
  'billing → clickhouse': 'only with REPORTS_CLICKHOUSE_URL; the policy allows it only with `billing.existingSecret`',
  'organization → storage': 'only while an export is made: background work, which has no trace',
  'recording → livekit': 'LiveKit Egress is asked where it is the engine; here it is our own recorder',
  'recording → web': 'no organization of this class has a bucket of its own',
  'recorder → livekit': 'Chromium signals to LiveKit by itself',
  'recorder → livekitMedia': 'and gets sound and picture by itself',
};

/** `<app> → <part>`, from the table that NetworkPolicies are rendered from. Its rows are simple enough to be parsed line by line. */
export function allowedCalls(): string[] {
  let app = '';
  return readFileSync(TABLE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      app = /^(\w+):$/.exec(line)?.[1] ?? app;
      const parts = /^ {2}talksTo: \[(.*)\]$/.exec(line)?.[1]?.split(', ') ?? [];
      return parts.map((part) => `${app} → ${part}`);
    });
}

const portOf = (address: string) => Number(new URL(address).port);

/** `<app> → <part>`, from the called ports, and from the broker whose messages were sent or processed. */
export function seenCalls({ urls, ports }: TestStack, spans: readonly Span[]): string[] {
  const parts = new Map([
    [portOf(urls.nats), 'nats'],
    [portOf(urls.postgresAdmin), 'postgres'],
    [portOf(urls.s3), 'storage'],
    [portOf(urls.livekit), 'livekit'],
    [ports.parts['media'], 'media'],
    [portOf(urls.gateway), 'recordingPage'],
  ]);
  const partOf = ({ service, attributes }: Span): string | undefined => {
    // In this stack one server is used for both.
    if (attributes['server.port'] === portOf(urls.redis)) return service === 'gateway' ? 'redisCache' : 'redisJobs';
    if (attributes['gen_ai.operation.name']) return 'models';
    if (attributes['webhook.endpoint.id']) return 'web';
    if (attributes['messaging.system']) return attributes['messaging.system'] === 'bullmq' ? 'redisJobs' : 'nats';
    const port = attributes['server.port'];
    return port === undefined ? undefined : (parts.get(Number(port)) ?? `port ${port}`);
  };
  const outgoing = spans.filter(({ kind }) => kind === 'CLIENT' || kind === 'PRODUCER' || kind === 'CONSUMER');
  const calls = outgoing.flatMap((span) => {
    const part = partOf(span);
    return part ? [`${span.service} → ${part}`] : [];
  });
  return [...new Set(calls)].sort();
}
