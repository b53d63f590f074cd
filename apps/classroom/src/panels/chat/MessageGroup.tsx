import { memo } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { Avatar } from '../parts/Avatar.js';
import { isSameGroup, type Group } from './groups.js';
import { MessageText } from './MessageText.js';

interface Props {
  group: Group;
  isOwn: boolean;
}

export const MessageGroup = memo(
  ({ group, isOwn }: Props) => {
    const { t, i18n } = useTranslation('panels');
    const [{ uid, name, role, sentAt }] = group;
    const time = new Date(sentAt).toLocaleTimeString(i18n.language, { hour: 'numeric', minute: '2-digit' });
    return (
      <li className="chat-group">
        <Avatar uid={uid} name={name} photoURL={null} />
        <div className="chat-words">
          <p className="chat-head">
            <bdi className="chat-name" title={name}>
              {isOwn ? t('chat.you') : name}
            </bdi>
            {role !== 'STUDENT' && <span className="chat-role">{t(`people.role.${role}`)}</span>}
            <time dateTime={sentAt}>{time}</time>
          </p>
          {group.map(({ id, text }) => (
            <MessageText key={id} text={text} />
          ))}
        </div>
      </li>
    );
  },
  (before, after) => before.isOwn === after.isOwn && isSameGroup(before.group, after.group),
);
