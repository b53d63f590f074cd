import './waiting.css';
import '../../waiting/texts.js';

export { WaitingList } from './WaitingList.js';
