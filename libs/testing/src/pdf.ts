export interface PdfOptions {
  /** Width and height of each page in points. */
  size?: readonly [width: number, height: number];
  /** Whether it asks for a password that is not known. */
  isEncrypted?: boolean;
  /** Further entries of each page, such as `/Rotate 90`. */
  page?: string;
  /** Title in the document's information. */
  title?: string;
}

const escaped = (text: string) => text.replaceAll(/[\\()]/g, String.raw`\$&`);

/** A PDF whose pages have these texts, in Latin letters. */
export function pdfOf(
  texts: readonly string[],
  { size = [720, 405], isEncrypted = false, page = '', title = '' }: PdfOptions = {},
): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${texts.length}/Kids[${texts.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]/MediaBox[0 0 ${size.join(' ')}]/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Title(${escaped(title)})>>`,
    ...texts.flatMap((text, at) => {
      const content = `BT /F1 24 Tf 40 ${Math.round(size[1] / 2)} Td (${escaped(text)}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/Contents ${6 + 2 * at} 0 R ${page}>>`,
        `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  const id = `<${'00'.repeat(16)}>`;
  const encrypt = `/ID[${id}${id}]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>>>`;
  return assembled(objects, `/Root 1 0 R/Info 4 0 R${isEncrypted ? encrypt : ''}`);
}

function assembled(objects: readonly string[], trailer: string): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer\n<</Size ${objects.length + 1}${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`, 'latin1');
}
