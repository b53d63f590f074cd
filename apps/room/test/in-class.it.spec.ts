import { stopSharedFixture } from './support/shared-fixture.js';
import './suites/board.js';
import './suites/chat-moderation.js';
import './suites/chat-settings.js';
import './suites/class-state.js';
import './suites/engagement.js';
import './suites/interaction.js';
import './suites/moderation.js';
import './suites/overridden-permissions.js';
import './suites/permissions.js';

stopSharedFixture();
