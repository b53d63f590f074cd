/** The same question of many, by its words. */
export interface QuestionGroup {
  question: string;
  /** The latest finished one. */
  answer: string;
  frequency: number;
  lastAskedAt: Date;
  embedding: number[] | null;
}

/** From this cosine on two questions mean the same. */
const ALIKE = 0.86;

/**
 * Groups that mean the same made one, where a model told what they mean; the most frequent first, and of equal ones the latest.
 * A group joins the most frequent one that is like it, so that meanings don't drift from one to the next.
 */
export function groupByMeaning(groups: readonly QuestionGroup[]): QuestionGroup[] {
  const merged: QuestionGroup[] = [];
  for (const group of [...groups].sort(byFrequency)) {
    const same = merged.find((other) => cosine(other.embedding, group.embedding) >= ALIKE);
    if (!same) {
      merged.push({ ...group });
      continue;
    }
    same.frequency += group.frequency;
    if (group.lastAskedAt > same.lastAskedAt && group.answer !== '') same.answer = group.answer;
    if (same.answer === '') same.answer = group.answer;
    if (group.lastAskedAt > same.lastAskedAt) same.lastAskedAt = group.lastAskedAt;
  }
  return merged.sort(byFrequency);
}

const byFrequency = (a: QuestionGroup, b: QuestionGroup) => b.frequency - a.frequency || b.lastAskedAt.getTime() - a.lastAskedAt.getTime();

/** −1 to 1; of vectors of two models, which can't be compared, −1. */
export function cosine(a: number[] | null, b: number[] | null): number {
  if (!a || !b || a.length !== b.length) return -1;
  let dot = 0;
  let ofA = 0;
  let ofB = 0;
  for (let index = 0; index < a.length; index++) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? -1 : dot / Math.sqrt(ofA * ofB);
}
