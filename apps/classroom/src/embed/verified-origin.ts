const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' };
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether an origin, as a browser writes it, is one of an organization's verified domains: `school.example` or
 * `*.school.example` (all subdomains, but not the domain itself), with a port unless it is the scheme's default. The same rules
 * as `frame-ancestors`, except that http is accepted only from loopback.
 */
export function isVerified(origin: string, verifiedDomains: readonly string[]): boolean {
  const url = parse(origin);
  if (!url) return false;
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return false;
  return verifiedDomains.some((domain) => matches(url, domain.toLowerCase()));
}

/** Rejects values that no browser sends as an http(s) origin: with a path, a user name or upper-case letters. */
function parse(origin: string): URL | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.protocol in DEFAULT_PORTS && url.origin === origin ? url : undefined;
}

function matches({ protocol, hostname, port }: URL, domain: string): boolean {
  const [, host = '', listedPort] = /^(.*?)(?::(\d+))?$/.exec(domain) ?? [];
  const ownPort = DEFAULT_PORTS[protocol];
  if ((port || ownPort) !== (listedPort ?? ownPort)) return false;
  return host.startsWith('*.') ? hostname.length >= host.length && hostname.endsWith(host.slice(1)) : hostname === host;
}
