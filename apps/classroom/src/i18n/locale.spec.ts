import { localeOf } from './locale.js';

it('formats times as in the country of the user, in the language of the page', () => {
  expect(localeOf('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeOf('de', ['en-GB'])).toBe('de');
  // Another language that begins with the same letters.
  expect(localeOf('de', ['den-CA', 'de-CH'])).toBe('de-CH');
});
