import type { CaptureJob } from '@classroom/contracts';

type Shown = Pick<CaptureJob, 'pageUrl' | 'livekitUrl' | 'token' | 'boardToken' | 'layout' | 'title' | 'logoUrl'>;

/**
 * The address that LiveKit Egress would give a custom template, with `capture=1` added, and the tokens in the fragment: no proxy gets them. The
 * address contains the tokens: never log it.
 */
export function pageAddress({ pageUrl, livekitUrl, token, boardToken, layout, title, logoUrl }: Shown): string {
  const address = new URL(pageUrl);
  const parameters = { url: livekitUrl, layout, title, logo: logoUrl, capture: '1' };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  address.hash = new URLSearchParams({ token, ...(boardToken === undefined ? {} : { board: boardToken }) }).toString();
  return address.href;
}

/** The first line of a failure for logs and recordings, without address and tokens: Playwright's messages contain the whole address. */
export function withoutAddress(error: unknown, address: string): string {
  const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { hash, searchParams } = new URL(address);
  const [withoutToken] = address.split('#');
  const tokens = new URLSearchParams(hash.slice(1)).values();
  const secrets = [address, withoutToken, ...tokens, ...[...searchParams.values()].filter((value) => value.length > 20)];
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '…') : text), firstLine).slice(0, 300);
}
