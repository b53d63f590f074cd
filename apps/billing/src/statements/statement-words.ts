import type { EntryKind, StatementLanguage } from '@classroom/contracts';
import type { StatementDetails } from './read-statements.js';

interface Words {
  title: string;
  number: string;
  cycle: string;
  closed: string;
  classes: string;
  kind: string;
  kinds: Record<EntryKind, string>;
  start: string;
  class: string;
  furtherClasses: (count: string) => string;
  credits: string;
  amount: string;
  total: string;
  page: (page: number, pages: number) => string;
}

const WORDS: Record<StatementLanguage, Words> = {
  en: {
    title: 'Statement',
    number: 'Number',
    cycle: 'Billing cycle (UTC)',
    closed: 'Closed (UTC)',
    classes: 'Classes',
    kind: 'Item',
    kinds: {
      CHARGE: 'Class time',
      ADJUSTMENT: 'Corrections of class time',
      AI_USAGE: 'AI usage',
      OPENING: 'Opening credits',
      TOP_UP: 'Top-ups',
      CORRECTION: 'Corrections',
    },
    start: 'Start (UTC)',
    class: 'Class',
    furtherClasses: (count) => `${count} further classes`,
    credits: 'Credits',
    amount: 'Amount',
    total: 'Total',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  de: {
    title: 'Abrechnung',
    number: 'Nummer',
    cycle: 'Abrechnungszeitraum (UTC)',
    closed: 'Abgeschlossen (UTC)',
    classes: 'Unterrichtsstunden',
    kind: 'Posten',
    kinds: {
      CHARGE: 'Unterrichtszeit',
      ADJUSTMENT: 'Korrekturen der Unterrichtszeit',
      AI_USAGE: 'KI-Nutzung',
      OPENING: 'Anfangsguthaben',
      TOP_UP: 'Aufladungen',
      CORRECTION: 'Korrekturen',
    },
    start: 'Beginn (UTC)',
    class: 'Unterricht',
    furtherClasses: (count) => `${count} weitere Unterrichtsstunden`,
    credits: 'Credits',
    amount: 'Betrag',
    total: 'Summe',
    page: (page, pages) => `Seite ${page} von ${pages}`,
  },
};

/** Day and month are clear in both languages, unlike in `en-US`. */
const LOCALES: Record<StatementLanguage, string> = { en: 'en-GB', de: 'de-DE' };

/** A statement as texts in one language. */
export interface StatementTexts {
  title: string;
  facts: [label: string, value: string][];
  kinds: StatementTable;
  classes: StatementTable;
  page: Words['page'];
}

export interface StatementTable {
  header: string[];
  rows: string[][];
  total?: string[];
}

export function textsOf(statement: StatementDetails, language: StatementLanguage): StatementTexts {
  const words = WORDS[language];
  const locale = LOCALES[language];
  const whole = new Intl.NumberFormat(locale);
  const { currency } = statement;
  // As many decimals as a credit's price may have: lines add up to the total.
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const at = (instant: string | null) => (instant === null ? '' : time.format(new Date(instant)));
  const sums = ({ credits, amount }: { credits: number; amount: number }) => [whole.format(credits), money.format(amount)];
  const { kinds, classes, furtherClasses: further } = statement;
  const listed = classes.map((one) => [at(one.startedAt), one.title || one.roomId, ...sums(one)]);
  return {
    title: words.title,
    facts: [
      [words.number, statement.statementId],
      [words.cycle, `${at(statement.cycleStart)} – ${at(statement.cycleEnd)}`],
      [words.closed, at(statement.closedAt)],
      [words.classes, whole.format(statement.classrooms)],
    ],
    kinds: {
      header: [words.kind, words.credits, words.amount],
      rows: kinds.map((one) => [words.kinds[one.kind], ...sums(one)]),
      total: [words.total, ...sums({ credits: statement.creditsConsumed, amount: statement.amount })],
    },
    classes: {
      header: [words.start, words.class, words.credits, words.amount],
      rows: further.count === 0 ? listed : [...listed, ['', words.furtherClasses(whole.format(further.count)), ...sums(further)]],
    },
    page: words.page,
  };
}
