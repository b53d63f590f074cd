import type { ApiKeyWithSecret, Body } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare, group, parseDuration, parseList } from './declare.js';

interface NewKey {
  name: string;
  scopes: string[];
  expiresIn?: number;
  save?: string;
}

interface Rotation {
  grace?: number;
  now?: boolean;
  save?: string;
}

export function addApiKeys(program: Command, session: Session): void {
  const keys = group(program, 'api-keys', 'API keys of the organization, limited to scopes');
  const key = (command: Command) => command.argument('<keyId>', 'id of the key');
  const kept = (command: Command) => command.option('--save <profile>', 'store the secret in a profile instead of printing it');

  declare(keys, 'list', 'list the API keys, oldest first', ['api-keys list']).action(async () =>
    session.print.list(
      (await session.client().apiKeys.list()).apiKeys,
      [
        ['key', ({ keyId }) => keyId],
        ['name', ({ name }) => name],
        ['prefix', ({ prefix }) => prefix],
        ['last used', ({ lastUsedAt }) => time(lastUsedAt)],
        ['expires', ({ expiresAt }) => (expiresAt ? time(expiresAt) : 'never')],
        ['scopes', ({ scopes }) => scopes],
      ],
      'There are no API keys. Create one with: vc api-keys create',
    ),
  );

  kept(
    declare(keys, 'create', 'create an API key', [
      'api-keys create --name Timetable --scopes rooms:read,rooms:write',
      'api-keys create --name "Report of March" --scopes billing:read,reports:read --expires-in 30d --save reports',
    ]),
  )
    .requiredOption('--name <name>', 'name of the key')
    .requiredOption(
      '--scopes <scopes>',
      'what the key may do, separated by commas: the page of an operation in the reference names its scope',
      parseList,
    )
    .option('--expires-in <duration>', 'how long it is valid: 12h, 30d; without it, until it is revoked', parseDuration)
    .action(async ({ name, scopes, expiresIn, save }: NewKey) => {
      const expiresAt = expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn).toISOString();
      // The service checks the scopes, so that newer ones can be named.
      const body = { name, scopes: scopes as Body<'createApiKey'>['scopes'], expiresAt };
      showSecret(session, await session.client().apiKeys.create(body), save);
    });

  kept(
    key(
      declare(keys, 'rotate', 'create a new secret for an API key; the earlier ones are valid for another day', [
        'api-keys rotate key_2Np5Qr8Sv1Tg4Jk7Lm9x --grace 2h',
        'api-keys rotate key_2Np5Qr8Sv1Tg4Jk7Lm9x --now --save production',
      ]),
    ),
  )
    .option('--grace <duration>', 'how long the earlier secrets stay valid: 90s, 2h, 7d', parseDuration)
    .option('--now', 'revoke the earlier secrets immediately')
    .action(async (keyId: string, { grace, now, save }: Rotation) => {
      if (now && grace !== undefined) throw new CommandError('--grace and --now are both given', 'Give one of them.');
      const graceSeconds = now ? 0 : grace === undefined ? undefined : Math.round(grace / 1_000);
      showSecret(session, await session.client().apiKeys.rotate(keyId, { graceSeconds }), save);
    });

  key(
    declare(keys, 'revoke', 'revoke an API key immediately, and the keys that it created', [
      'api-keys revoke key_2Np5Qr8Sv1Tg4Jk7Lm9x',
      'api-keys revoke key_2Np5Qr8Sv1Tg4Jk7Lm9x --keep-created',
    ]),
  )
    .option('--keep-created', 'keep the keys that it created')
    .action(async (keyId: string, { keepCreated }: { keepCreated?: boolean }) => {
      const revoked = await session.client().apiKeys.revoke(keyId, keepCreated ? { keepCreated: 'true' } : {});
      session.print.record(revoked, {
        Key: revoked.keyId,
        Revoked: time(revoked.revokedAt),
        'Also revoked': revoked.alsoRevoked ?? [],
      });
    });
}

/** @param save the profile that keeps the secret; without it, the secret is printed */
function showSecret(session: Session, { secret, ...key }: ApiKeyWithSecret, save: string | undefined): void {
  const shown = {
    Key: key.keyId,
    Name: key.name,
    Scopes: key.scopes,
    Expires: key.expiresAt ? time(key.expiresAt) : 'never',
    ...(key.previousSecretExpiresAt ? { 'Earlier secrets until': time(key.previousSecretExpiresAt) } : {}),
  };
  if (save === undefined) {
    session.print.record({ ...key, secret }, { ...shown, Secret: secret });
    return session.print.note('The secret is shown only here.');
  }
  session.store(save, { url: session.used.url ?? '', apiKey: secret });
  session.print.record({ ...key, profile: save }, { ...shown, Profile: save });
}
