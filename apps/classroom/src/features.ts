import type { Feature } from './app/feature.js';
import { board } from './board/feature.js';
import { chat } from './chat/feature.js';
import { classRecording, consent } from './class-recording/feature.js';
import { devices, screenShare } from './devices/feature.js';
import { embed } from './embed/feature.js';
import { lobby, opening, waiting } from './entering/feature.js';
import { measuring } from './measuring/feature.js';
import { attention, notifications } from './notifications/feature.js';
import { people } from './people/feature.js';
import { polls } from './polls/feature.js';
import { hands, reactions } from './reactions/feature.js';
import { room } from './room/feature.js';
import { stage } from './stage/feature.js';
import { tutor } from './tutor/feature.js';

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
