import { createApi, type ApiOf, type InputOf } from '@classroom/page/typed-calls';
import type { Call } from '../session/session.js';
import { ROUTES } from '../session/routes.js';

type Routes = keyof typeof ROUTES;

export type Input<K extends Routes> = InputOf<K>;
export type Emoji = Input<'sendReaction'>['emoji'];

/** The operations for participants in class, named as in the API reference. Each call rejects with an ApiError. */
export type ClassroomApi = ApiOf<Routes>;

export const createClassroomApi = (call: Call): ClassroomApi => createApi(ROUTES, call);
