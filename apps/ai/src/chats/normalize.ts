/**
 * The key that groups equal questions: letters, digits and mathematical operators, in lower case. A question that contains none of them is
 * only trimmed.
 */
export function normalize(question: string): string {
  const words = question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}+\-*/=<>%^]+/gu, ' ')
    .trim();
  return words === '' ? question.trim() : words;
}
