/** Whether a text has a character that is seen. The service refuses others. */
export const isVisible = (text: string): boolean => /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800]/u.test(text);
