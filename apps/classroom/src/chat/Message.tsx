import { memo, type ComponentType, Fragment } from 'react';
import type { ChatMessage } from '@classroom/contracts';
import { useTranslation, localeOf } from '../i18n/index.js';
import { Avatar } from '../ui/Avatar.js';
import { isSameGroup, type Group, splitLinks } from './messages.js';

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

export function MessageText({ text }: { text: string }) {
  return (
    <p className="chat-text" dir="auto">
      {splitLinks(text).map(({ text, href }, index) =>
        href ? (
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {text}
          </a>
        ) : (
          <Fragment key={index}>{text}</Fragment>
        ),
      )}
    </p>
  );
}
