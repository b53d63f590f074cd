import type { CaptureJob } from '@classroom/contracts';

type Shown = Pick<CaptureJob, 'pageUrl' | 'livekitUrl' | 'token' | 'layout' | 'title' | 'logoUrl'>;

/** As LiveKit Egress addresses a custom template, and that it is us. It carries the token: never to be logged. */
export function pageAddress({ pageUrl, livekitUrl, token, layout, title, logoUrl }: Shown): string {
  const address = new URL(pageUrl);
  const parameters = { url: livekitUrl, token, layout, title, logo: logoUrl, capture: '1' };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** What a failure says to whoever reads logs and recordings: playwright's own words have the whole address in them. */
export function withoutAddress(error: unknown, address: string): string {
  const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { token, ...rest } = Object.fromEntries(new URL(address).searchParams);
  const secrets = [address, token, ...Object.values(rest).filter((value) => value.length > 20)];
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '…') : text), firstLine).slice(0, 300);
}
