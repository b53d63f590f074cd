import { expectSharedStackRuns } from '@classroom/testing';

// Names the cause next to the failure: without its stack a test would only time out.
afterEach(expectSharedStackRuns);
