import { Users } from 'lucide-react';
import type { ClassroomSession } from '../session/session.js';
import { useTranslation } from '../i18n/index.js';

/** Lists who is in class already. Participants without a known name are counted. */
export function ParticipantsPresent({ count, names }: ClassroomSession['present']) {
  const { t, i18n } = useTranslation();
  if (count === 0) return <p className="lobby-present quiet">{t('lobby.empty')}</p>;
  const others = count - names.length;
  const parts = others > 0 ? [...names, t('lobby.others', { count: others })] : names;
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts);
  return (
    <p className="lobby-present quiet">
      <Users aria-hidden size={16} /> {t('lobby.present', { list })}
    </p>
  );
}
