import { createDocumentBody } from './documents.operations.js';

describe('a new document', () => {
  const file = { title: 'T', fileName: 'f.pdf', size: 1, contentType: 'application/pdf' };

  it.each([file, { ...file, contentType: 'image/png' }, { title: 'T', url: 'https://school.example/slides.pdf' }])('may be %j', (body) => {
    expect(createDocumentBody.safeParse(body).error).toBeUndefined();
  });

  it.each([
    { title: 'T' },
    { ...file, url: 'https://school.example/slides.pdf' },
    { ...file, size: undefined },
    { title: 'T', size: 1, url: 'https://school.example/slides.pdf' },
    { ...file, size: 104_857_601 },
    { ...file, contentType: 'text/html' },
    { title: 'T', url: 'slides.pdf' },
  ])('is not %j', (body) => {
    expect(createDocumentBody.safeParse(body).success).toBe(false);
  });
});
