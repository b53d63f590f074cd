/** Questions with the same normalized text. */
export interface QuestionGroup {
  question: string;
  /** The latest finished answer; empty if there is none. */
  answer: string;
  frequency: number;
  lastAskedAt: Date;
  embedding: number[] | null;
}

/** Two questions count as the same if the cosine of their embeddings is at least this. */
const MIN_SIMILARITY = 0.86;

/**
 * Merges groups with the same meaning, as far as they have embeddings. Most frequent first; of equal ones, the latest first. A group joins
 * the most frequent group that is similar to it, so that meanings do not drift from group to group.
 */
export function groupByMeaning(groups: readonly QuestionGroup[]): QuestionGroup[] {
  const merged: QuestionGroup[] = [];
  for (const group of [...groups].sort(byFrequency)) {
    const same = merged.find((other) => cosine(other.embedding, group.embedding) >= MIN_SIMILARITY);
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

/** −1 to 1. Returns −1 for vectors that can't be compared: missing, empty, zero, or of different lengths (from different models). */
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
