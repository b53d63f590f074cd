/** The entries of a verified-domain list that would cover `host`: itself, and a wildcard for each of its parents. */
export function domainsCovering(host: string): string[] {
  const labels = host.toLowerCase().split('.');
  return [host.toLowerCase(), ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
