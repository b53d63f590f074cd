import { createLocalTracks } from 'livekit-client';
import { Devices, DEVICES, type Device } from './devices.js';

jest.mock('livekit-client', () => ({
  createLocalTracks: jest.fn(),
  Track: { Source: { Camera: 'camera', Microphone: 'microphone' }, Kind: { Video: 'video' } },
  TrackEvent: { Ended: 'ended' },
}));
const request = jest.mocked(createLocalTracks);

const listening = () => {
  const failures: Device[][] = [];
  const devices = new Devices({
    onDevicesChanged: () => undefined,
    onDevicesFailed: (failed) => failures.push([...failed]),
    onDeviceLost: () => undefined,
    onBlurFailed: () => undefined,
  });
  return { devices, failures };
};
const errorsOf = (devices: Devices) => DEVICES.filter((device) => devices.deviceError(device) !== undefined);

describe('devices that cannot be used', () => {
  beforeEach(() => request.mockReset().mockRejectedValue(new Error('no device')));

  it('are requested together, then each by itself, and reported together', async () => {
    const { devices, failures } = listening();
    await devices.start(DEVICES);
    expect(request).toHaveBeenCalledTimes(3);
    expect(failures).toEqual([['microphone', 'camera']]);
    expect(errorsOf(devices)).toEqual(['microphone', 'camera']);
  });

  it('keep their errors while lobby and class request them at the same time', async () => {
    for (let delay = 0; delay < 12; delay += 1) {
      const { devices } = listening();
      const inLobby = devices.start(DEVICES);
      for (let turn = 0; turn < delay; turn += 1) await Promise.resolve();
      await Promise.all([inLobby, devices.start(DEVICES)]);
      expect(errorsOf(devices)).toEqual(['microphone', 'camera']);
    }
  });

  it('keep their errors when they are turned off', async () => {
    const { devices } = listening();
    await devices.start(DEVICES);
    await devices.set('microphone', false);
    expect(errorsOf(devices)).toEqual(['microphone', 'camera']);
  });
});
