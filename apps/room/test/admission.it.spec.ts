import { stopSharedFixture } from './support/shared-fixture.js';
import './suites/joining.js';
import './suites/rooms.js';

stopSharedFixture();
