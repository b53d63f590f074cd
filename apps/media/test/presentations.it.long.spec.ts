import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getDocument, OFFICE_TYPES } from '@classroom/contracts';
import { newClass, settled, upload } from './support/class-documents.js';
import { MediaFixture } from './support/media-fixture.js';

jest.setTimeout(180_000);

const SOFFICE = process.env['SOFFICE_PATH'] ?? '/usr/bin/soffice';
const [PPTX, ODP] = OFFICE_TYPES;
const SPACES = Object.entries({ office: 'office', draw: 'drawing', text: 'text' }).map(
  ([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const SVG = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"';
const WORDS = ['The Thales circle', 'Größe und Fläche'];

const slide = (words: string) =>
  `<draw:page><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="3cm"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame></draw:page>`;

/** With Debian's libreoffice-impress-nogui, which is too large for each machine of a developer. */
describe('presentations', () => {
  let fixture: MediaFixture;
  let folder: string;

  beforeAll(async () => {
    if (!existsSync(SOFFICE))
      throw new Error(`no LibreOffice at ${SOFFICE}: apt-get install libreoffice-impress-nogui, or set SOFFICE_PATH`);
    folder = mkdtempSync(join(tmpdir(), 'presentations-'));
    const type = 'office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"';
    const body = `<office:body><office:presentation>${WORDS.map(slide).join('')}</office:presentation></office:body>`;
    writeFileSync(
      join(folder, 'slides.fodp'),
      `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${[...SPACES, SVG].join(' ')} ${type}>${body}</office:document>`,
    );
    fixture = await MediaFixture.start();
    await fixture.startApp({ ROLES: 'service,worker', SOFFICE_PATH: SOFFICE });
  });
  afterAll(() => fixture?.stop());

  test.each([
    ['PPTX', 'pptx', PPTX],
    ['ODP', 'odp', ODP],
  ] as const)('in %s become pages with their text', async (_, ending, type) => {
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    execFileSync(SOFFICE, [profile, '--headless', '--convert-to', ending, '--outdir', folder, join(folder, 'slides.fodp')]);
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, readFileSync(join(folder, `slides.${ending}`)), type);
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'completed', pages: 2 });
    const { pages } = await fixture.call(getDocument, { ...room, documentId });
    expect(pages.map(({ text }) => text)).toEqual(WORDS);
  });

  test('that are damaged are refused', async () => {
    const room = newClass(fixture);
    const documentId = await upload(fixture, room, readFileSync(join(folder, 'slides.pptx')).subarray(0, 9_000), PPTX);
    expect(await settled(fixture, documentId)).toMatchObject({ status: 'failed', message: expect.stringMatching(/can’t be read|damaged/) });
  });
});
