import { domainsCovering, requireOwnable } from './domain-names.js';

describe('a verified domain', () => {
  it.each([
    'school.example',
    '*.school.co.uk',
    'lakeside.github.io',
    '*.lakeside.github.io',
    'localhost:3000',
    '127.0.0.1:3000',
    'intranet',
  ])('may be %s', (domain) => expect(() => requireOwnable([domain])).not.toThrow());

  it.each(['com', '*.com', '*.co.uk', '*.github.io', 'github.io:8443', '*.vercel.app'])(
    'may not be %s, below which anyone can register',
    (domain) =>
      expect(() => requireOwnable(['school.example', domain])).toThrow(
        expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ path: 'verifiedDomains.1' })] }),
      ),
  );
});

describe('the entries that cover a host', () => {
  it('are the host and its parents’ wildcards', () => {
    expect(domainsCovering('a.School.example')).toEqual(['a.school.example', '*.school.example', '*.example']);
  });

  it('keep the port', () => {
    expect(domainsCovering('a.school.example:3000')).toContain('*.school.example:3000');
    expect(domainsCovering('localhost:3000')).toEqual(['localhost:3000']);
  });
});
