import { announcementOf, type StreamFormat } from './stream-format.js';

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** One JSON object per line, with its kind in `type`: text, audio, usage, then done or error. */
export const NDJSON: StreamFormat = {
  headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' },
  beginning: (begun) => {
    const announced = announcementOf(begun);
    return announced ? line({ type: 'text', text: '', ...announced }) : '';
  },
  event: (event) => {
    if (event.type !== 'usage') return line(event);
    const { usage, message } = event;
    const { inputTokens, outputTokens } = usage;
    return line({ type: 'usage', usage: { inputTokens, outputTokens }, message });
  },
  end: line({ type: 'done' }),
  failure: ({ code, message }) => line({ type: 'error', error: code, message }),
};
