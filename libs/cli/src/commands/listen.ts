import type { HistoryEvent } from '@virtual-classroom/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { forward, isDelivered, isSecret, newSecret, type Outcome } from '../forwarding/forward.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare } from './declare.js';
import { beginning, type Following, follow, following, gapText, resumeText } from './events.js';

interface Listening extends Following {
  forwardTo: URL;
  secret?: string;
}

function parseTarget(text: string): URL {
  const full = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) throw new InvalidArgumentError('It must be an address such as http://localhost:3000/hooks.');
  return new URL(full);
}

function parseSecret(text: string): string {
  if (!isSecret(text)) throw new InvalidArgumentError('It must be whsec_ and at least 24 bytes in base64.');
  return text;
}

export function addListen(webhooks: Command, session: Session): void {
  following(
    declare(webhooks, 'listen', 'forward events to your own machine as signed webhooks; Ctrl-C ends it', [
      'webhooks listen --forward-to http://localhost:3000/hooks',
      'webhooks listen --forward-to localhost:3000/hooks --types room.finished --after 41',
      'webhooks listen --forward-to localhost:3000/hooks --secret "$WEBHOOK_SECRET"',
    ]),
  )
    .requiredOption('--forward-to <url>', 'address of your server, also one that only this machine reaches', parseTarget)
    .option('--secret <secret>', 'sign with this secret, whsec_…, instead of a new one', parseSecret)
    .action(async (options: Listening) => {
      const client = session.client();
      const { print, io } = session;
      const { forwardTo, secret = newSecret() } = options;
      const after = await beginning(client, options);
      if (print.isJson) print.line({ forwardTo: forwardTo.href, after, ...(options.secret ? {} : { secret }) });
      else {
        print.note(`Forwarding events after ${after} to ${forwardTo.href}. Ctrl-C ends it.`);
        if (!options.secret) print.note(`Signing secret of this run: ${secret}`);
      }
      let isExplained = false;
      const handle = async (event: HistoryEvent) => {
        const outcome = await forward(event, { url: forwardTo, secret, signal: io.signal });
        report(session, event, outcome);
        if (outcome.error && !isExplained)
          print.note(`There was no answer from ${forwardTo.href}: is your server running? Later events are forwarded all the same.`);
        isExplained ||= outcome.error !== null;
      };
      const last = await follow(client, { ...options, after, signal: io.signal }, handle, (gap) => print.note(gapText(gap)));
      print.note(resumeText(`webhooks listen --forward-to ${forwardTo.href}`, { ...options, after: last }));
    });
}

function report({ print }: Session, { id, type, sequence, timestamp }: HistoryEvent, outcome: Outcome): void {
  const { status, error, durationMs } = outcome;
  const result = isDelivered(outcome) ? `${status}` : error === null ? `${status} refused` : `failed: ${error}`;
  print.line(
    { id, type, sequence, status, error, durationMs },
    String(sequence).padStart(6),
    time(timestamp),
    type.padEnd(22),
    `${result} (${durationMs} ms)`,
  );
}
