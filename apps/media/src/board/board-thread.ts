import { workerData } from 'node:worker_threads';
import { composeBoard, type BoardJob } from './compose-board.js';

/** The thread in which one board is composed. It ends with it. */
void composeBoard(workerData as BoardJob);
