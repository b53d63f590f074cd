import { useState } from 'react';
import { initialsOf, type Person } from '../media/people.js';
import { avatarColor, hueOf } from '@classroom/page/color';

/** Decoration next to a name, hidden from screen readers. */
export function Avatar({ uid, name, photoURL }: Pick<Person, 'uid' | 'name' | 'photoURL'>) {
  const [broken, setBroken] = useState<string>();
  return (
    <span className="avatar" aria-hidden style={{ background: avatarColor(hueOf(uid)) }}>
      {initialsOf(name)}
      {photoURL && photoURL !== broken && <img src={photoURL} alt="" onError={() => setBroken(photoURL)} />}
    </span>
  );
}
