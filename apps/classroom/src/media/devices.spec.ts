import { createLocalTracks, type LocalTrack, type Room } from 'livekit-client';
import { Devices, DEVICES, type Device } from './devices.js';

jest.mock('livekit-client', () => ({
  createLocalTracks: jest.fn(),
  ConnectionState: { Connected: 'connected' },
  Track: { Source: { Camera: 'camera', Microphone: 'microphone' }, Kind: { Video: 'video' } },
  TrackEvent: { Ended: 'ended' },
}));
jest.mock('./blur.js', () => ({ startBlur: (track: LocalTrack) => track.setProcessor({} as never) }));
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

  it('count as lost if they ended before they were listened to', async () => {
    jest.useFakeTimers();
    const lost: [Device, boolean][] = [];
    const devices = new Devices({
      onDevicesChanged: () => undefined,
      onDevicesFailed: () => undefined,
      onDeviceLost: (...args) => lost.push(args),
      onBlurFailed: () => undefined,
    });
    const ended = {
      kind: 'audio',
      mediaStreamTrack: { readyState: 'ended', getSettings: () => ({}) },
      on: () => undefined,
      restartTrack: () => Promise.reject(new Error('none')),
      stop: () => undefined,
    };
    request.mockResolvedValue([ended] as unknown as LocalTrack[]);
    await devices.set('microphone', true);
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    expect([lost, devices.isOn('microphone')]).toEqual([[['microphone', false]], false]);
  });

  it('keep their errors when they are turned off', async () => {
    const { devices } = listening();
    await devices.start(DEVICES);
    await devices.set('microphone', false);
    expect(errorsOf(devices)).toEqual(['microphone', 'camera']);
  });
});

it('publishes the camera only when the blur that the user has turned on is there', async () => {
  let finish: () => void = () => undefined;
  const setProcessor = () => new Promise<void>((resolve) => (finish = resolve));
  const camera = {
    kind: 'video',
    mediaStreamTrack: { readyState: 'live' },
    on: jest.fn(),
    unmute: jest.fn(),
    getProcessor: () => undefined,
    setProcessor,
  };
  request.mockReset().mockResolvedValue([camera] as never);
  const { devices } = listening();
  await devices.start(['camera']);
  const publishTrack = jest.fn();
  const blurring = devices.setBlurred(true);
  const localParticipant = { publishTrack, getTrackPublication: () => undefined };
  const published = devices.publishTo({ state: 'connected', localParticipant } as unknown as Room);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  expect(publishTrack).not.toHaveBeenCalled();
  finish();
  await Promise.all([blurring, published]);
  expect(publishTrack).toHaveBeenCalledTimes(1);
});

describe('devices that cannot be published', () => {
  const microphone = () => ({
    kind: 'audio',
    mediaStreamTrack: { readyState: 'live' },
    on: jest.fn(),
    stop: jest.fn(),
    mute: jest.fn(),
    unmute: jest.fn(),
  });
  const joined = (publishTrack: jest.Mock, state = 'connected') => {
    const localParticipant = { publishTrack, getTrackPublication: () => undefined, unpublishTrack: jest.fn(async () => undefined) };
    return { state, localParticipant } as unknown as Room;
  };
  const on = async () => {
    const track = microphone();
    request.mockReset().mockResolvedValue([track] as never);
    const { devices, failures } = listening();
    await devices.start(['microphone']);
    return { devices, failures, track };
  };

  it('are published again after a timeout', async () => {
    const { devices, failures } = await on();
    const publish = jest.fn().mockRejectedValueOnce(new Error('timeout')).mockResolvedValue(undefined);
    await devices.publishTo(joined(publish));
    expect([publish.mock.calls.length, devices.isOn('microphone'), failures]).toEqual([2, true, []]);
  });

  it('are turned off and reported, because the others do not hear them', async () => {
    const { devices, failures, track } = await on();
    await devices.publishTo(joined(jest.fn().mockRejectedValue(new Error('timeout'))));
    expect([devices.isOn('microphone'), errorsOf(devices), failures]).toEqual([false, ['microphone'], [['microphone']]]);
    expect(track.stop).toHaveBeenCalled();
  });

  it('stay on while the connection is lost', async () => {
    const { devices, failures } = await on();
    await devices.publishTo(joined(jest.fn().mockRejectedValue(new Error('closed')), 'disconnected'));
    expect([devices.isOn('microphone'), failures]).toEqual([true, []]);
  });
});
