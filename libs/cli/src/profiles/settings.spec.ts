import { resolveSettings, urlFor } from './settings.js';

const CONFIG = {
  current: 'school',
  profiles: {
    school: { url: 'https://classroom.example', credential: 'vfo_stored', dispatchSecret: 'stored' },
    other: { url: 'https://other.example', apiKey: 'vc_live_stored' },
  },
};

describe('the credential of the organization', () => {
  const organization = (options: object, env: Record<string, string> = {}) => resolveSettings(options, env, CONFIG).organization;

  it.each([
    ['a flag', { credential: 'vfo_flag' }, { VC_API_KEY: 'vc_live_env' }, { credential: 'vfo_flag' }, 'credential of --credential'],
    ['the environment', {}, { VC_API_KEY: 'vc_live_env' }, { apiKey: 'vc_live_env' }, 'API key of VC_API_KEY'],
    ['the current profile', {}, {}, { credential: 'vfo_stored' }, 'credential of profile school'],
    ['the profile of a flag', { profile: 'other' }, { VC_PROFILE: 'school' }, { apiKey: 'vc_live_stored' }, 'API key of profile other'],
    ['the profile of the environment', {}, { VC_PROFILE: 'other' }, { apiKey: 'vc_live_stored' }, 'API key of profile other'],
    ['a profile if a variable is empty', {}, { VC_CREDENTIAL: ' ' }, { credential: 'vfo_stored' }, 'credential of profile school'],
    ['a variable without its line end', {}, { VC_CREDENTIAL: 'vfo_env\n' }, { credential: 'vfo_env' }, 'credential of VC_CREDENTIAL'],
  ])('is that of %s', (_, options, env, value, source) => {
    expect(organization(options, env as unknown as Record<string, string>)).toMatchObject({ value, source });
  });

  it('is refused if one source has two', () => {
    expect(() => organization({ credential: 'a', apiKey: 'b' })).toThrow('--credential and --api-key both give a credential');
    expect(() => organization({}, { VC_CREDENTIAL: 'a', VC_API_KEY: 'b' })).toThrow('VC_CREDENTIAL and VC_API_KEY');
  });

  it.each(['nobodys', 'constructor'])('is not looked for in the unknown profile %s', (profile) => {
    expect(() => organization({ profile })).toThrow(`There is no profile ${profile}`);
  });
});

describe('the address', () => {
  const url = (options: object, env: Record<string, string> = {}) => {
    const settings = resolveSettings(options, env, CONFIG);
    return urlFor(settings, settings.operator ?? fail(), CONFIG.profiles.school.url);
  };
  const fail = (): never => {
    throw new Error('no operators’ secret');
  };

  it('is that of the profile, or another path of it', () => {
    expect(url({})).toBe('https://classroom.example');
    expect(url({ url: 'https://classroom.example/' })).toBe('https://classroom.example/');
  });

  it('is refused if the stored credential is for another one', () => {
    expect(() => url({}, { VC_URL: 'http://127.0.0.1:8080' })).toThrow(/^VC_URL is http.*for https:\/\/classroom\.example$/);
    expect(() => url({ url: 'http://classroom.example' })).toThrow(/^--url/);
    expect(url({ url: 'http://127.0.0.1:8080', dispatchSecret: 'another' })).toBe('http://127.0.0.1:8080');
  });

  it.each(['classroom.example', 'ftp://classroom.example', 'localhost:8080'])('must be a URL: %s', (text) => {
    expect(() => url({ url: text, dispatchSecret: 'another' })).toThrow(/no URL/);
  });
});
