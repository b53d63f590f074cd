import { AdminClient, type Credentials, VirtualClassroom } from '@virtual-classroom/sdk';
import { CommandError, type Io } from './io.js';
import { Printer } from './output/printer.js';
import { type Config, configPath, type Profile, readConfig, writeConfig } from './profiles/config-file.js';
import { type GlobalOptions, isSameOrigin, resolveSettings, type Settings, urlFor } from './profiles/settings.js';

/** One run of the program: its options, its output, and the clients with the credentials that apply. */
export class Session {
  /** What the last client that was made uses, for messages about its failures. */
  used: { url?: string; credential?: string; secrets: string[] } = { secrets: [] };
  /** How the program ends if no command fails. */
  exitCode = 0;

  /** @param options read when a command runs: they are parsed after the commands are declared */
  constructor(
    readonly io: Io,
    private readonly options: () => GlobalOptions,
  ) {}

  get print(): Printer {
    return new Printer(this.io, this.options().json === true);
  }

  get flags(): GlobalOptions {
    return this.options();
  }

  get configPath(): string {
    return configPath(this.io.env);
  }

  readConfig(): Config {
    return readConfig(this.configPath);
  }

  writeConfig(config: Config): void {
    writeConfig(this.configPath, config);
  }

  /** Adds credentials to a profile. Those that it has for another address are removed. */
  store(name: string, profile: Profile): void {
    const config = this.readConfig();
    const earlier = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
    const { credential, apiKey, dispatchSecret } = isSameOrigin(profile.url, earlier?.url) ? { ...earlier } : {};
    const organization = (profile.credential ?? profile.apiKey) ? {} : { credential, apiKey };
    config.profiles[name] = { ...organization, dispatchSecret, ...profile };
    if (Object.keys(config.profiles).length === 1) config.current = name;
    this.writeConfig(config);
  }

  get settings(): Settings {
    return resolveSettings(this.options(), this.io.env, this.readConfig());
  }

  /** The API as the organization. @throws CommandError if the address or the credential is missing */
  client(): VirtualClassroom {
    const settings = this.settings;
    const { organization } = settings;
    if (!organization)
      throw new CommandError(
        `No credential of an organization is known${this.profileNote(settings)}`,
        'Run: vc login. Or give --credential or --api-key, or set VC_CREDENTIAL or VC_API_KEY.',
      );
    const baseUrl = urlFor(settings, organization, this.storedUrl(settings));
    this.used = { url: baseUrl, credential: organization.source, secrets: secretsOf(organization.value) };
    return new VirtualClassroom({ baseUrl, ...organization.value });
  }

  /** The API as an operator. @throws CommandError if the address or the secret is missing */
  admin(): AdminClient {
    const settings = this.settings;
    const { operator } = settings;
    if (!operator)
      throw new CommandError(
        `The operators’ secret is not known${this.profileNote(settings)}`,
        'Run: vc login --operator. Or give --dispatch-secret, or set VC_DISPATCH_SECRET.',
      );
    const baseUrl = urlFor(settings, operator, this.storedUrl(settings));
    this.used = { url: baseUrl, credential: `operators’ secret of ${operator.source}`, secrets: [operator.value] };
    return new AdminClient({ baseUrl, dispatchSecret: operator.value });
  }

  /** The API without a credential. */
  stranger(): VirtualClassroom {
    const settings = this.settings;
    const baseUrl = urlFor(settings, { value: '', source: '', origin: 'flag' }, undefined);
    this.used = { url: baseUrl, secrets: [] };
    return new VirtualClassroom({ baseUrl, credential: '-' });
  }

  private storedUrl({ profile }: Settings): string | undefined {
    return this.readConfig().profiles[profile]?.url;
  }

  private profileNote({ profile }: Settings): string {
    return Object.keys(this.readConfig().profiles).length > 0 ? ` (profile ${profile})` : '';
  }
}

const secretsOf = ({ credential, apiKey }: Credentials): string[] => [credential ?? '', apiKey ?? ''].filter((it) => it !== '');
