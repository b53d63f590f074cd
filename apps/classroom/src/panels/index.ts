import './panels.css';
import './polls/polls.css';
import './reactions/reactions.css';

export { useClassField, useClassState } from './parts/use-class-field.js';
export { useUnread } from './parts/use-unread.js';
export { PollCard } from './polls/PollCard.js';
export { ReactionItems } from './reactions/ReactionItems.js';
export { ReactionPicker } from './reactions/ReactionPicker.js';
export { Reactions } from './reactions/Reactions.js';
