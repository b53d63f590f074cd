import { memo, type ComponentType } from 'react';
import type { ChatMessage } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import { localeOf } from '../../i18n/locale.js';
import { Avatar } from '../parts/Avatar.js';
import { isSameGroup, type Group } from './groups.js';
import { MessageText } from './MessageText.js';

const PlainMessage = ({ message: { text } }: { message: ChatMessage }) => <MessageText text={text} />;

interface Props {
  group: Group;
  isOwn: boolean;
  /** Shows a message with what can be done about it; undefined until it is loaded. */
  Message: ComponentType<{ message: ChatMessage }> | undefined;
}

export const MessageGroup = memo(
  ({ group, isOwn, Message = PlainMessage }: Props) => {
    const { t, i18n } = useTranslation('panels');
    const [{ uid, name, role, sentAt }] = group;
    const time = new Date(sentAt).toLocaleTimeString(localeOf(i18n.language), { hour: 'numeric', minute: '2-digit' });
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
          {group.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </div>
      </li>
    );
  },
  (before, after) => before.isOwn === after.isOwn && before.Message === after.Message && isSameGroup(before.group, after.group),
);
