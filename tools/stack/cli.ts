import { main } from './commands.ts';

void main(process.argv.slice(2));
