/** Whether a text has a character that is seen. The service refuses others. */
export const isVisible = (text: string): boolean => /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800]/u.test(text);

/** Directional marks, which phones insert around pasted numbers and names. They are invisible, and the service refuses them. */
const DIRECTIONAL_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text as it is sent. */
export const toSent = (text: string): string => text.replaceAll(DIRECTIONAL_MARKS, '').trim();
