import { BackgroundProcessor } from '@livekit/track-processors';
import { startBlur } from './blur.js';

jest.mock('@livekit/track-processors', () => ({ BackgroundProcessor: jest.fn((options: object) => options) }));
jest.mock('./vision/selfie_segmentation.tflite?url', () => 'model', { virtual: true });

/** The processor reports a blurred picture. */
const processed = () => {
  const [options] = jest.mocked(BackgroundProcessor).mock.lastCall ?? [];
  options?.onFrameProcessed?.({} as never);
};

describe('blurring', () => {
  beforeAll(() => Object.assign(globalThis, { VISION_FOLDER: 'vision' }));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has begun with the first blurred picture, because the processor shows the room once before it', async () => {
    const track = { setProcessor: jest.fn(async () => undefined) };
    const begun = jest.fn();
    const blurring = startBlur(track as never).then(begun);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(track.setProcessor).toHaveBeenCalledTimes(1);
    expect(begun).not.toHaveBeenCalled();
    processed();
    await blurring;
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['the processor fails', async () => Promise.reject(new Error('no WebGL')), 'no WebGL'],
    ['there is no picture', async () => undefined, 'There was no blurred picture in time.'],
  ])('fails if %s', async (_, setProcessor, message) => {
    const failed = expect(startBlur({ setProcessor } as never)).rejects.toThrow(message);
    await jest.advanceTimersByTimeAsync(60_000);
    await failed;
  });
});
