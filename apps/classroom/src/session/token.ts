/** Whether a token has expired by its own claims; only the server checks its signature. */
export function isTokenExpired(token: string, now: number): boolean {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number };
    return exp !== undefined && exp * 1000 <= now;
  } catch {
    return false;
  }
}

const STORAGE_KEY = 'classroom';

/** Keeps the classroom token for a reload after the join token has expired. A framed page may be denied storage. */
export function storeClassroomToken(joinToken: string, classroomToken: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ joinToken, classroomToken }));
  } catch {}
}

export function loadClassroomToken(joinToken: string): string | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as { joinToken?: string; classroomToken?: string };
    return stored.joinToken === joinToken ? stored.classroomToken : undefined;
  } catch {
    return undefined;
  }
}
