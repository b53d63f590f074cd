import { isIP } from 'node:net';
import { baseConfig, loadConfig, outboundConfig, secrets } from '@classroom/platform';
import { persistenceConfig } from '@classroom/persistence';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

/** As `dns.setServers` takes it. */
const isNameServer = (server: string) => isIP(server.replace(/^\[(.*)\](:\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$3')) !== 0;

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(outboundConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    /** Redis for the job queues. It must not evict keys and must use an append-only file. */
    REDIS_URL: z.string().min(1),
    /**
     * Encrypts the secrets that sign webhooks; at least 32 characters. To rotate it, list several, separated by commas: the
     * first encrypts, all decrypt.
     */
    WEBHOOK_KEY_SECRET: secrets,
    /**
     * Private key (Ed25519, PKCS 8 as DER in base64) that signs the receipts of erasures; RECEIPT_PUBLIC_KEYS of the gateway lists its public key. Default: a
     * key derived from the first WEBHOOK_KEY_SECRET.
     */
    RECEIPT_SIGNING_KEY: z.string().optional(),
    /**
     * The longest lifetime of a new API key in days, and its default. Unset: a key without `expiresAt` never expires. Keys that exist keep their
     * expiry.
     */
    API_KEY_MAX_DAYS: z.coerce.number().int().min(1).max(3_650).optional(),
    /** After how many days the operator deletes backups of the database. So long, erasures are repeated after a restore; receipts state it. */
    BACKUP_DAYS: z.coerce.number().int().min(1).max(3_650).default(35),
    /**
     * Hours from the request to erase an organization until the erasure begins. Meanwhile the organization is closed, can be read, and the erasure can be
     * cancelled.
     */
    ERASURE_COOL_DOWN_HOURS: z.coerce.number().min(0).max(8_760).default(72),
    /** Name servers (address, or address:port; comma separated) that are asked for the TXT records of domains. Default: those of the system. */
    DNS_SERVERS: z
      .string()
      .optional()
      .transform(
        (value) =>
          value
            ?.split(',')
            .map((part) => part.trim())
            .filter(Boolean) ?? [],
      )
      .refine((servers) => servers.every(isNameServer), 'must be addresses of name servers, such as 192.0.2.53 or 192.0.2.53:5353'),
  });
export type OrganizationConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
