import type { CountedEngagement } from '@classroom/contracts';
import type { CountedParticipant } from './engagement.repository.js';
import { tenths } from './tenths.js';

export const toEngagement = ({
  connectedSeconds,
  measuredSeconds,
  talkSeconds,
  cameraSeconds,
  ...counts
}: CountedParticipant): CountedEngagement => ({
  ...counts,
  connectedSeconds: tenths(connectedSeconds),
  measuredSeconds: tenths(measuredSeconds),
  talkSeconds: talkSeconds === null ? null : tenths(talkSeconds),
  cameraSeconds: cameraSeconds === null ? null : tenths(cameraSeconds),
});
