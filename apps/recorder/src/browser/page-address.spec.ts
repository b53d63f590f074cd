import { pageAddress, withoutAddress } from './page-address.js';

const job = {
  pageUrl: 'https://class.example/recording',
  livekitUrl: 'wss://media.example',
  token: 'eyJhbGciOi.secret',
  layout: 'grid',
  title: 'Algebra & more',
  logoUrl: '',
} as const;

test('the address has the parameters of Egress, and names our recorder', () => {
  const { origin, pathname, searchParams } = new URL(pageAddress(job));
  expect(origin + pathname).toBe(job.pageUrl);
  expect(Object.fromEntries(searchParams)).toEqual({
    url: job.livekitUrl,
    token: job.token,
    layout: 'grid',
    title: 'Algebra & more',
    logo: '',
    capture: '1',
  });
});

test('a failure is reported in one line without address and token', () => {
  const address = pageAddress(job);
  const redacted = withoutAddress(new Error(`page.goto: net::ERR_CONNECTION_REFUSED at ${address}\nCall log:\n  navigating`), address);
  expect(redacted).toBe('page.goto: net::ERR_CONNECTION_REFUSED at …');
  expect(withoutAddress(`bad token ${job.token}!`, address)).toBe('bad token …!');
});
