import { domainsCovering } from './domains-covering.js';

describe('the entries that cover a host', () => {
  it('are the host and its parents’ wildcards', () => {
    expect(domainsCovering('a.School.example')).toEqual(['a.school.example', '*.school.example', '*.example']);
  });

  it('keep the port', () => {
    expect(domainsCovering('a.school.example:3000')).toContain('*.school.example:3000');
    expect(domainsCovering('localhost:3000')).toEqual(['localhost:3000']);
  });
});
