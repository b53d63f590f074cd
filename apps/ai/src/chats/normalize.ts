/** What makes the same question of many one: its words alone, in lower case. */
export function normalize(question: string): string {
  const words = question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}+\-*/=<>%^]+/gu, ' ')
    .trim();
  return words === '' ? question.trim() : words;
}
