import { stopSharedFixture } from './support/shared-fixture.js';
// First: its gauges count all rooms, and those of other suites could end meanwhile.
import './suites/reports.js';
import './suites/joining.js';
import './suites/rooms.js';
import './suites/presets.js';
import './suites/attendance.js';

stopSharedFixture();
