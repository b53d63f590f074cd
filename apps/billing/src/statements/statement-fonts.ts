import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSync, type Font, type FontCollection } from 'fontkit';

export const REGULAR = 'regular';
export const BOLD = 'bold';
/** The font of letters of European languages, digits and punctuation. Other letters have one weight. */
export type Style = typeof REGULAR | typeof BOLD;
const EMOJI = 'emoji';

/** Fonts of the package, which are always there: Latin, Greek, Cyrillic, Arabic and Hebrew, and emoji without colours. */
const OWN: Record<string, string> = {
  [REGULAR]: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  [BOLD]: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  [EMOJI]: '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
};
/** Where Debian installs fonts. Chromium and librsvg find them there too. Without Noto's, letters of many scripts are boxes. */
export const INSTALLED_FONTS = '/usr/share/fonts';
/** The installed fonts of the other scripts: Noto's. A file is named after its script, or after its symbols; one has Chinese, Japanese and Korean. */
const INSTALLED = /(?:^|\/)Noto(Sans|Serif)([A-Z]\w*)-Regular\.(?:ttf|otf|ttc)$/;
const COLLECTION = 'CJK';
/** Chinese, Japanese and Korean write some characters differently. */
const FACES: [face: string, text: RegExp][] = [
  ['jp', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['kr', /\p{Script=Hangul}/u],
  ['sc', /(?:)/u],
];

const EUROPEAN = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;
const IN_COLOUR = /\p{Emoji_Presentation}|\uFE0F/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Fonts for texts in any script, opened when a text first needs them. */
export class StatementFonts {
  private readonly opened = new Map<string, Font>();
  /** Whether a font can be used: of some, fontkit cannot read the tables that place the letters. */
  private readonly usable = new Map<string, boolean>();
  private readonly collections = new Map<string, FontCollection>();
  private readonly installed: InstalledFont[];

  /** @param folder of installed fonts, with its subfolders; it need not exist */
  constructor(folder: string) {
    this.installed = notoIn(folder);
  }

  /** @param name one of the package's fonts, or a file, if need be with `#` and its face */
  open(name: string): Font {
    let font = this.opened.get(name);
    if (!font) {
      const [file = name, face] = name.split('#');
      font = withDirection(
        face === undefined ? (openSync(OWN[name] ? require.resolve(OWN[name]) : file) as Font) : this.collection(file).getFont(face)!,
      );
      this.opened.set(name, font);
    }
    return font;
  }

  /**
   * @param cluster what a reader takes for one character
   * @param before the font of the character before, which keeps punctuation and spaces
   * @param text the whole text
   * @returns the name of a font that has the character, or `style` if none has
   */
  nameFor(cluster: string, style: Style, before: string, text: string): string {
    const has = (name: string) =>
      Array.from(cluster).every((it) => INVISIBLE.test(it) || this.open(name).hasGlyphForCodePoint(it.codePointAt(0)!)) &&
      this.canLayOut(name, cluster);
    const isEuropean = EUROPEAN.test(cluster);
    // A run has one script: the font of European letters also has those of two others.
    const isKept = before !== EMOJI && (isEuropean || before !== style);
    const first = IN_COLOUR.test(cluster) ? [EMOJI] : [...(isKept ? [before] : []), ...(isEuropean ? [style] : [])];
    return first.find(has) ?? this.candidates(cluster, text).find(has) ?? [style, EMOJI].find(has) ?? style;
  }

  /** The text that a font draws: without the invisible characters that it would draw as a box. */
  textFor(name: string, text: string): string {
    return Array.from(text)
      .filter((it) => !INVISIBLE.test(it) || (JOINERS.has(it) && this.open(name).hasGlyphForCodePoint(it.codePointAt(0)!)))
      .join('');
  }

  /** Tried once for each font, with the first character for which it is needed. */
  private canLayOut(name: string, cluster: string): boolean {
    let can = this.usable.get(name);
    if (can === undefined) {
      try {
        this.open(name).layout(cluster);
        can = true;
      } catch {
        can = false;
      }
      this.usable.set(name, can);
    }
    return can;
  }

  private collection(file: string): FontCollection {
    const opened = this.collections.get(file) ?? (openSync(file) as FontCollection);
    this.collections.set(file, opened);
    return opened;
  }

  /** The installed fonts that may have a character, so that few are opened. */
  private candidates(cluster: string, text: string): string[] {
    const face = FACES.find(([, letters]) => letters.test(text))![0];
    return this.installed
      .filter(({ letters }) => letters?.test(cluster) ?? true)
      .map(({ file, isCollection }) => (isCollection ? `${file}#NotoSansCJK${face}-Regular` : file));
  }
}

/** pdfkit passes a text's features on to the font, and no direction: the direction takes their place. */
function withDirection(font: Font): Font {
  const layout = font.layout.bind(font);
  font.layout = (text, features) => layout(text, [], undefined, undefined, Array.isArray(features) ? (features[0] as 'ltr') : undefined);
  return font;
}

/** Characters that change the form of their neighbours. */
const JOINERS = new Set(['\u200C', '\u200D', '\uFE0F']);

interface InstalledFont {
  file: string;
  /** Letters of the script that the file is named after. */
  letters?: RegExp;
  isCollection: boolean;
}

function notoIn(folder: string): InstalledFont[] {
  const fonts = filesIn(folder).flatMap((name) => {
    const [, family, of = ''] = INSTALLED.exec(name) ?? [];
    const isCollection = of === COLLECTION;
    if (!family || (family === 'Serif' && isCollection)) return [];
    const letters = lettersOf(of);
    // The largest file last, and Serif where a script has no Sans.
    return { rank: `${letters ? 0 : isCollection ? 2 : 1}${family}${of}`, file: join(folder, name), letters, isCollection };
  });
  return fonts.toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** @param name `Devanagari`, `OldItalic`, or something else than a script */
function lettersOf(name: string): RegExp | undefined {
  try {
    return new RegExp(`\\p{Script=${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')}}`, 'u');
  } catch {
    return undefined;
  }
}
