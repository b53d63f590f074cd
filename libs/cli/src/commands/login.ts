import { AdminClient, hasCode, VirtualClassroom } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import type { Profile } from '../profiles/config-file.js';
import type { Session } from '../session.js';
import { declare, group } from './declare.js';

const LOCAL = 'http://127.0.0.1:8080';
const API_KEY = /^vc_live_/;

export function addLogin(program: Command, session: Session): void {
  declare(program, 'login', 'check a credential and store it in a profile; it is asked for, or read from standard input', [
    'login',
    'login --url https://classroom.example --profile production < credential.txt',
    'login --operator --url http://127.0.0.1:8080',
  ])
    .option('--operator', 'store the operators’ secret, for vc organizations')
    .action(async ({ operator }: { operator?: boolean }) => {
      const name = session.flags.profile ?? (session.io.env['VC_PROFILE'] || session.readConfig().current);
      const url = await urlOf(session);
      const profile = { url, ...(await credentialOf(session, operator === true)) };
      await check(session, profile);
      session.store(name, profile);
      session.print.record({ profile: name, url, file: session.configPath }, { Profile: name, Address: url, File: session.configPath });
      const { current } = session.readConfig();
      if (current !== name)
        session.print.note(`The current profile is ${current}. Use this one with: vc config use ${name}, or --profile ${name}`);
    });

  declare(program, 'logout', 'delete a profile with its credentials from this machine', ['logout', 'logout --profile production']).action(
    () => {
      const config = session.readConfig();
      const name = session.flags.profile ?? config.current;
      requireProfile(config.profiles, name);
      delete config.profiles[name];
      if (config.current === name) config.current = Object.keys(config.profiles)[0] ?? 'default';
      session.writeConfig(config);
      session.print.record({ profile: name }, { Deleted: name });
    },
  );
}

async function urlOf({ flags, io }: Session): Promise<string> {
  const known = flags.url ?? io.env['VC_URL'];
  if (!known && !io.isInteractive)
    throw new CommandError('No address of the service is known', 'Give --url https://classroom.example or set VC_URL.');
  const url = known || (await io.ask(`Address of the service [${LOCAL}]: `)).trim() || LOCAL;
  if (!URL.canParse(url)) throw new CommandError(`The address is no URL: ${url}`, 'Give it in full, such as https://classroom.example');
  return url.replace(/\/+$/, '');
}

async function credentialOf({ flags, io }: Session, isOperator: boolean): Promise<Omit<Profile, 'url'>> {
  const { credential, apiKey, dispatchSecret } = flags;
  if (credential && apiKey) throw new CommandError('--credential and --api-key are both given', 'Give one of them.');
  if (dispatchSecret || credential || apiKey)
    return { ...(dispatchSecret ? { dispatchSecret } : {}), ...(credential ? { credential } : {}), ...(apiKey ? { apiKey } : {}) };
  const question = isOperator ? 'Operators’ secret: ' : 'Credential (vfo_…) or API key (vc_live_…): ';
  const value = (io.isInteractive ? await io.ask(question, true) : await io.readAll()).trim();
  if (value === '') throw new CommandError('No credential was given', 'Type it, or pass it on standard input: vc login < credential.txt');
  if (isOperator) return { dispatchSecret: value };
  return API_KEY.test(value) ? { apiKey: value } : { credential: value };
}

/** @throws the service's error if it does not know a credential. An API key may have other scopes than the call. */
async function check(session: Session, { url: baseUrl, dispatchSecret, credential, apiKey }: Profile): Promise<void> {
  if (dispatchSecret) {
    session.used = { url: baseUrl, credential: 'operators’ secret', secrets: [dispatchSecret] };
    await new AdminClient({ baseUrl, dispatchSecret }).organizations.list({ limit: '1' }).page();
  }
  const value = credential ?? apiKey;
  if (value === undefined) return;
  session.used = { url: baseUrl, credential: apiKey ? 'API key' : 'credential', secrets: [value] };
  const client = new VirtualClassroom(apiKey === undefined ? { baseUrl, credential: value } : { baseUrl, apiKey });
  await client.rooms
    .list({ limit: 1 })
    .page()
    .catch((error: unknown) => {
      if (!hasCode(error, 'FORBIDDEN')) throw error;
    });
}

function requireProfile(profiles: Record<string, Profile>, name: string): void {
  if (!Object.hasOwn(profiles, name)) throw new CommandError(`There is no profile ${name}`, 'Run: vc config list');
}

export function addConfig(program: Command, session: Session): void {
  const config = group(program, 'config', 'profiles: which exist, which applies');

  declare(config, 'list', 'list the profiles', ['config list']).action(() => {
    const { current, profiles } = session.readConfig();
    const rows = Object.entries(profiles).map(([name, { url, credential, apiKey, dispatchSecret }]) => ({
      profile: name,
      isCurrent: name === current,
      url,
      credentials: [
        ...(credential ? ['credential'] : []),
        ...(apiKey ? ['API key'] : []),
        ...(dispatchSecret ? ['operators’ secret'] : []),
      ],
    }));
    session.print.list(
      rows,
      [
        ['profile', ({ profile }) => profile],
        ['current', ({ isCurrent }) => isCurrent],
        ['address', ({ url }) => url],
        ['credentials', ({ credentials }) => credentials],
      ],
      'There are no profiles. Create one with: vc login',
    );
  });

  declare(config, 'use', 'make a profile the current one', ['config use production'])
    .argument('<profile>', 'name of the profile')
    .action((name: string) => {
      const config = session.readConfig();
      requireProfile(config.profiles, name);
      session.writeConfig({ ...config, current: name });
      session.print.record({ profile: name }, { Current: name });
    });

  declare(config, 'show', 'show which address and credentials apply, and where they come from', [
    'config show',
    'config show --profile production',
  ]).action(() => {
    const { profile, url, organization, operator } = session.settings;
    const shown = {
      file: session.configPath,
      profile,
      url: url ? `${url.value} (${url.source})` : null,
      organization: organization?.source ?? null,
      operator: operator?.source ?? null,
    };
    session.print.record(shown, {
      File: shown.file,
      Profile: profile,
      Address: shown.url,
      Organization: shown.organization,
      Operator: shown.operator && `secret of ${shown.operator}`,
    });
  });
}
