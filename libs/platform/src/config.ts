import { z } from 'zod';

/** The variables that every process reads. An app's schema extends it; only the app's `config.ts` reads process.env. */
export const baseConfig = z.object({
  /** `local` relaxes only the clock and what a developer's machine lacks (TLS, public addresses). */
  DEPLOYMENT: z.enum(['local', 'production']).default('production'),
  /** Which parts of the app this process runs. */
  ROLES: z
    .string()
    .default('service,worker')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['service', 'worker'])).min(1)),
  /** Address of NATS, several servers comma separated. It may contain a user and password, or a token. With `tls://` a server without TLS is refused. */
  NATS_URL: z.string().min(1),
  /**
   * Public keys (Ed25519, DER in base64, comma separated) with which services verify the gateway's statement of who called. Without any, a
   * service answers every call that NATS lets through.
   */
  CALLER_PUBLIC_KEYS: z
    .string()
    .default('')
    .transform((value) => value.split(',').filter(Boolean)),
  /** Address on which probes and metrics listen. In a container it has to be `0.0.0.0`, or the kubelet does not reach them. */
  PROBE_HOST: z.string().default('127.0.0.1'),
  /** Port of /livez, /readyz, /startupz and /metrics; 0 chooses a free port. */
  PROBE_PORT: z.coerce.number().int().min(0).max(65_535),
  /**
   * How long a process may drain, in seconds from SIGTERM to its end. It stops accepting work and finishes what has begun; work
   * that cannot finish in that time is handed back or ended in order before then.
   */
  DRAIN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(25),
  /**
   * `controlled` lets a test move domain time over NATS. `sandbox` lets an integrator: the time of CLOCK_FILE stands still until it is moved
   * forward. Both are refused in production.
   */
  CLOCK: z.enum(['system', 'controlled', 'sandbox']).default('system'),
  /** File with the time at which a process of a sandbox starts, `{"now": "…"}`. */
  CLOCK_FILE: z.string().optional(),
});
export type BaseConfig = z.infer<typeof baseConfig>;

/** A secret of sufficient length. There is no default, not even locally: the launcher generates it. */
export const secret = z.string().min(32, 'must be a secret of at least 32 characters');

/** One secret, or several (comma separated) during a rotation: the first is used, all are accepted. */
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
 * @throws ConfigError that names every missing or invalid variable, and never contains a value.
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
  if (config.DEPLOYMENT === 'production' && config.CLOCK !== undefined && config.CLOCK !== 'system') {
    throw new ConfigError(`The configuration is not usable:\n  CLOCK: ${config.CLOCK} is refused in production`);
  }
  if (config.CLOCK === 'sandbox' && config.CLOCK_FILE === undefined) {
    throw new ConfigError('The configuration is not usable:\n  CLOCK_FILE: is required with CLOCK=sandbox');
  }
  return parsed.data;
}

/** The configuration of the process, typed by each app's own `config.ts`. */
export const CONFIG = Symbol('CONFIG');
