import type { Feature } from './app/feature.js';
import { attention } from './attention/feature.js';
import { board } from './board/feature.js';
import { chat } from './chat/feature.js';
import { classRecording } from './class-recording/feature.js';
import { consent } from './consent/feature.js';
import { devices } from './devices/feature.js';
import { embed } from './embed/feature.js';
import { hands } from './hands/feature.js';
import { lobby } from './lobby/feature.js';
import { measuring } from './measuring/feature.js';
import { notifications } from './notifications/feature.js';
import { opening } from './opening/feature.js';
import { people } from './people/feature.js';
import { polls } from './polls/feature.js';
import { reactions } from './reactions/feature.js';
import { room } from './room/feature.js';
import { screenShare } from './screen-share/feature.js';
import { stage } from './stage/feature.js';
import { tutor } from './tutor/feature.js';
import { waiting } from './waiting/feature.js';

/** All that a class offers, in the order in which tabs, notices and items of a menu are shown. */
export const FEATURES: readonly Feature[] = [
  room,
  consent,
  waiting,
  opening,
  lobby,
  people,
  chat,
  polls,
  tutor,
  reactions,
  hands,
  devices,
  screenShare,
  board,
  stage,
  classRecording,
  embed,
  measuring,
  notifications,
  attention,
];
