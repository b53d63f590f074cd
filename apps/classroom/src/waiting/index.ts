import './texts.js';

export { WaitingRoom } from './WaitingRoom.js';
