import { Fragment } from 'react';
import { splitLinks } from './links.js';

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
