import { announcementOf, type StreamFormat } from './stream-format.js';

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** Server-sent events in the form that the tutor's clients expect. */
export const SSE: StreamFormat = {
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' },
  beginning: (begun) => {
    const announced = announcementOf(begun);
    return announced ? data({ text: '', usage: null, ...announced }) : '';
  },
  event: (event) => {
    if (event.type === 'text') return data({ text: event.text, usage: null });
    if (event.type === 'audio') return data({ text: '', audio: event.audio, mimeType: event.mimeType, usage: null });
    const { usage, message } = event;
    const { inputTokens, outputTokens } = usage;
    return data({ usage: { inputTokens, outputTokens }, message });
  },
  end: DONE,
  failure: ({ code, message }) => data({ error: code, message }) + DONE,
};

/** In class, the page also receives the id of its question, so that it can pass the question on to the teacher. */
export const CLASSROOM_SSE: StreamFormat = {
  ...SSE,
  beginning: ({ questionId, provider, message }) => data({ text: '', usage: null, questionId, provider, message }),
};
