/** Ends rtc-node's own threads: belongs in the last afterAll of a file that used RtcParticipant. */
export { dispose as disposeRtc } from '@livekit/rtc-node';
