import { describeLiveKitConformance } from '../src/livekit/conformance.js';
import { realSubject } from './support/real-subject.js';
import { simulatedSubject } from './support/simulated-subject.js';

jest.setTimeout(20_000);

describeLiveKitConformance('simulated', simulatedSubject);
describeLiveKitConformance('real 1.13.5', realSubject);
