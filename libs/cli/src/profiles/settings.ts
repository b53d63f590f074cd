import type { Credentials } from '@virtual-classroom/sdk';
import { CommandError } from '../io.js';
import type { Config } from './config-file.js';

/** The options of every command, as commander names them. */
export interface GlobalOptions {
  json?: boolean;
  profile?: string;
  url?: string;
  credential?: string;
  apiKey?: string;
  dispatchSecret?: string;
}

interface Found<T> {
  value: T;
  /** Where it was found, for messages: never the value itself. */
  source: string;
  origin: 'flag' | 'environment' | 'profile';
}

export interface Settings {
  /** The profile that was asked for, or the current one. */
  profile: string;
  url?: Found<string>;
  organization?: Found<Credentials>;
  operator?: Found<string>;
}

/**
 * What the flags, the environment and the profile say, in this order.
 * @throws CommandError if a profile is missing, or one source has two credentials of an organization
 */
export function resolveSettings(options: GlobalOptions, env: Record<string, string | undefined>, config: Config): Settings {
  const named = options.profile ?? (env['VC_PROFILE'] || undefined);
  const name = named ?? config.current;
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (named !== undefined && !profile)
    throw new CommandError(`There is no profile ${named}`, `Run: vc login --profile ${named}, or vc config list for those that exist.`);
  const flag = (value: string | undefined, name: string) => found(value, name, 'flag');
  const variable = (name: string) => found(env[name], name, 'environment');
  const stored = (value: string | undefined) => found(value, `profile ${name}`, 'profile');
  return {
    profile: name,
    url: flag(options.url, '--url') ?? variable('VC_URL') ?? stored(profile?.url),
    organization:
      either(flag(options.credential, '--credential'), flag(options.apiKey, '--api-key')) ??
      either(variable('VC_CREDENTIAL'), variable('VC_API_KEY')) ??
      either(stored(profile?.credential), stored(profile?.apiKey)),
    operator: flag(options.dispatchSecret, '--dispatch-secret') ?? variable('VC_DISPATCH_SECRET') ?? stored(profile?.dispatchSecret),
  };
}

function found(value: string | undefined, source: string, origin: Found<string>['origin']): Found<string> | undefined {
  const trimmed = value?.trim();
  return trimmed ? { value: trimmed, source, origin } : undefined;
}

function either(credential: Found<string> | undefined, apiKey: Found<string> | undefined): Found<Credentials> | undefined {
  if (credential && apiKey)
    throw new CommandError(
      `${credential.source} and ${apiKey.source} both give a credential`,
      'Give the organization’s credential or an API key, not both.',
    );
  if (credential) return { ...credential, value: { credential: credential.value }, source: `credential of ${credential.source}` };
  return apiKey && { ...apiKey, value: { apiKey: apiKey.value }, source: `API key of ${apiKey.source}` };
}

/**
 * The address for a credential.
 * @throws CommandError if there is none, or the credential is stored for another address: it must not be sent there
 */
export function urlFor({ url, profile }: Settings, credential: Found<unknown>, stored: string | undefined): string {
  if (!url)
    throw new CommandError('No address of the service is known', 'Give --url https://classroom.example, set VC_URL, or run: vc login');
  if (!URL.canParse(url.value) || !/^https?:$/.test(new URL(url.value).protocol))
    throw new CommandError(`The address of ${url.source} is no URL: ${url.value}`, 'Give it in full, such as https://classroom.example');
  if (credential.origin === 'profile' && url.origin !== 'profile' && !isSameOrigin(url.value, stored))
    throw new CommandError(
      `${url.source} is ${url.value}, but the credential of profile ${profile} is for ${stored}`,
      'Give the credential together with the address, or use another profile with --profile.',
    );
  return url.value;
}

export const isSameOrigin = (one: string, other: string | undefined): boolean =>
  URL.canParse(one) && other !== undefined && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
