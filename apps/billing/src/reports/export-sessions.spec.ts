import { minutes } from './export-sessions.js';

it('writes minutes with two decimals', () => expect([minutes(90), minutes(0)]).toEqual(['1.50', '0.00']));
