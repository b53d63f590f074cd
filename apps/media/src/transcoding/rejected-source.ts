/** The file itself is at fault, so a retry would end the same. The message is for users. */
export class RejectedSource extends Error {
  override readonly name = 'RejectedSource';
}

export const REJECTIONS = {
  unreadable: 'The file can’t be read: it is no video or audio file of a kind that is taken, or it is damaged',
  empty: 'The file has no picture and no sound that can be decoded',
  truncated: 'The file is cut short: it ends before the length it tells',
  undecodable: 'The file is damaged: its picture or sound can’t be decoded',
  stalled: 'The file can’t be transcoded: nothing came of it for a minute',
  missing: 'The uploaded file is not in the storage any more',
  interrupted: 'The file could not be transcoded: the work on it was interrupted too often',
} as const;

export const rejectSource = (reason: keyof typeof REJECTIONS, cause?: unknown) => new RejectedSource(REJECTIONS[reason], { cause });
