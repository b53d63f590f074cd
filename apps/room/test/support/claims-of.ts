interface Claims {
  nbf: number;
  exp: number;
  name: string;
  attributes: Record<string, string>;
  video: { roomJoin: boolean; canPublish: boolean; canPublishSources?: string[] };
  /** Of classroom tokens. */
  ms: number;
}

/** The claims of a room's token, unverified. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
