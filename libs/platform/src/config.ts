import { z } from 'zod';

/** What every deployable reads. An app's schema extends it; its `config.ts` is the only reader of process.env. */
export const baseConfig = z.object({
  /** `local` relaxes nothing but the clock and what a developer's machine lacks (TLS, public addresses). */
  DEPLOYMENT: z.enum(['local', 'production']).default('production'),
  /** Which parts of the app this process runs. */
  ROLES: z
    .string()
    .default('service,worker')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['service', 'worker'])).min(1)),
  /** Where NATS listens, several servers comma separated; user and password, or a token, as part of it. */
  NATS_URL: z.string().min(1),
  /** Address that probes and metrics listen on; in a container `0.0.0.0`, or the kubelet does not reach them. */
  PROBE_HOST: z.string().default('127.0.0.1'),
  /** Port of /livez, /readyz, /startupz and /metrics; 0 takes any free one. */
  PROBE_PORT: z.coerce.number().int().min(0).max(65_535),
  /**
   * Seconds from SIGTERM to the process's end. Nothing new is taken; what is under way may be finished, and what can't be in that time
   * is handed back or ended in order before it is over.
   */
  DRAIN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(25),
  /** `controlled` lets a test move domain time over NATS; refused in production. */
  CLOCK: z.enum(['system', 'controlled']).default('system'),
});
export type BaseConfig = z.infer<typeof baseConfig>;

/** A secret long enough to be one; there is no default, not even locally: the launcher generates it. */
export const secret = z.string().min(32, 'must be a secret of at least 32 characters');

/** One of them, or several (comma separated) while it is changed: the first is used, all are believed. */
export const secrets = z
  .string()
  .transform((value): [string, ...string[]] => {
    const [first = '', ...others] = value.split(',').map((it) => it.trim());
    return [first, ...others];
  })
  .refine(
    (all) => all.every((it) => secret.safeParse(it).success),
    'must be a secret of at least 32 characters, or several, comma separated',
  );

export class ConfigError extends Error {}

/**
 * Parses the environment. Empty values count as absent.
 * @throws ConfigError that names every variable that is missing or wrong, and never prints a value.
 */
export function loadConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv = process.env): z.infer<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, code, message }) => {
      const name = path.join('.');
      const missing = code === 'invalid_type' && present[name] === undefined;
      return `  ${name}: ${missing ? 'is required' : message}`;
    });
    throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}\nSet these environment variables and start again.`);
  }
  const config = parsed.data as Partial<BaseConfig>;
  if (config.DEPLOYMENT === 'production' && config.CLOCK === 'controlled') {
    throw new ConfigError('The configuration is not usable:\n  CLOCK: controlled is refused in production');
  }
  return parsed.data;
}
