/** Whether a token has expired by its own claims; only the server checks its signature. */
export function isOver(token: string, now: number): boolean {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number };
    return exp !== undefined && exp * 1000 <= now;
  } catch {
    return false;
  }
}

const KEY = 'classroom';

/** Keeps the classroom token for a reload after the join token has expired. A framed page may be denied storage. */
export function remember(joinToken: string, classroomToken: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ joinToken, classroomToken }));
  } catch {}
}

export function recall(joinToken: string): string | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { joinToken?: string; classroomToken?: string };
    return kept.joinToken === joinToken ? kept.classroomToken : undefined;
  } catch {
    return undefined;
  }
}
