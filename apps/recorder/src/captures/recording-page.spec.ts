import { pageAddress, withoutAddress } from './recording-page.js';

const job = {
  pageUrl: 'https://class.example/recording',
  livekitUrl: 'wss://media.example',
  token: 'eyJhbGciOi.secret',
  boardToken: 'eyJhbGciOi.board',
  layout: 'grid',
  title: 'Algebra & more',
  logoUrl: '',
} as const;

test('the address has the parameters of Egress, names our recorder, and hides the tokens from proxies', () => {
  const { origin, pathname, searchParams, hash } = new URL(pageAddress(job));
  expect(origin + pathname).toBe(job.pageUrl);
  expect(Object.fromEntries(searchParams)).toEqual({
    url: job.livekitUrl,
    layout: 'grid',
    title: 'Algebra & more',
    logo: '',
    capture: '1',
  });
  expect(hash).toBe(`#token=${job.token}&board=${job.boardToken}`);
  expect(new URL(pageAddress({ ...job, boardToken: undefined })).hash).toBe(`#token=${job.token}`);
  expect(new URLSearchParams(new URL(pageAddress({ ...job, token: 'a b&c=d#e' })).hash.slice(1)).get('token')).toBe('a b&c=d#e');
});

test('a failure is reported in one line without address and tokens', () => {
  const address = pageAddress(job);
  const redacted = withoutAddress(new Error(`page.goto: net::ERR_CONNECTION_REFUSED at ${address}\nCall log:\n  navigating`), address);
  expect(redacted).toBe('page.goto: net::ERR_CONNECTION_REFUSED at …');
  expect(withoutAddress(`bad token ${job.token}!`, address)).toBe('bad token …!');
  expect(withoutAddress(`bad token ${job.boardToken}!`, address)).toBe('bad token …!');
  const [withoutToken = ''] = address.split('#');
  expect(withoutAddress(`page.goto: Timeout at ${withoutToken}`, address)).toBe('page.goto: Timeout at …');
});
