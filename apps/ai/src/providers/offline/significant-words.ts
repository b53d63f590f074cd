/** English and German words that say nothing about the subject of a sentence. */
const COMMON = new Set(
  `a about above after again all also am an and any anyone are as ask at be because been before being both but by can cannot could
   did do does doing done down each else even ever every explain few find for from further get gets give go goes had has have having
   he hello help her here hers hi him his how i if in into is it its itself just know knows learn let like many may me means might
   mine more most much must my need no nor not now of off on once one only or other our ours out over own please question really
   regarding remember said same say says she should show so some something still such sure tell than thank thanks that the their
   theirs them then there these they thing things think this those to today told too under understand until up us use very want was
   we well were what when where which while who whom whose why will with word would yes yet you your yours yourself
   aber alle als also am an auch auf aus bei bin bis bist bitte da damit dann das dass dein deine dem den der des dich die dies diese
   doch dort du ein eine einem einen einer er erkläre es etwas für gibt hat hatte ich ihr im in ist ja kann kannst kein keine man
   mehr mein meine mich mir mit nach nicht noch nun nur oder ohne sehr sein seine sich sie sind so über um und uns unser unter vom
   von vor war warum was weiß wenn wer werden wie wieder wir wird wo worum zu zum zur`.split(/\s+/),
);
const ENDINGS = /(?:ings?|edly|ed|es|s|en|er)$/;
const MIN_STEM_CHARACTERS = 4;

/** The words that carry a text's subject, without their endings. */
export function significantWords(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)).map(toStem));
}

function toStem(word: string): string {
  const stem = word.replace(ENDINGS, '');
  return stem.length >= MIN_STEM_CHARACTERS ? stem : word;
}
