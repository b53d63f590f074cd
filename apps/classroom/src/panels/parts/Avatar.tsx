import { useState } from 'react';
import { initialsOf, type Person } from '../../media/person.js';
import { avatarColor, hueOf } from '../../style/color.js';

/** Decoration beside a name: says nothing to those who don't see it. */
export function Avatar({ uid, name, photoURL }: Pick<Person, 'uid' | 'name' | 'photoURL'>) {
  const [broken, setBroken] = useState<string>();
  return (
    <span className="avatar" aria-hidden style={{ background: avatarColor(hueOf(uid)) }}>
      {initialsOf(name)}
      {photoURL && photoURL !== broken && <img src={photoURL} alt="" referrerPolicy="no-referrer" onError={() => setBroken(photoURL)} />}
    </span>
  );
}
