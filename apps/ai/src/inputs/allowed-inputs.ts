import type { AllowedInput } from '@classroom/sandbox';

const list = (names: string) => names.trim().split(/\s+/);

/** Accepted recordings: containers that can't refer to other files or addresses, and the decoders in common use. */
export const AUDIO_INPUT: AllowedInput = {
  formats: list('wav mp3 mov mp4 m4a aac ogg matroska webm'),
  decoders: list(`
    mp3float mp3 aac opus libopus vorbis libvorbis flac alac pcm_alaw pcm_mulaw pcm_u8 pcm_s16le pcm_s24le pcm_s32le
    pcm_f32le pcm_f64le adpcm_ms adpcm_ima_wav
  `),
};

/** Accepted pictures. Uses the demuxers of single images, because `image2` would interpret file names as patterns. */
export const IMAGE_INPUT: AllowedInput = {
  formats: list(`
    bmp_pipe tiff_pipe gif ico j2k_pipe jpeg_pipe jpegxl_pipe pam_pipe pbm_pipe pgm_pipe png_pipe ppm_pipe psd_pipe
    qoi_pipe webp_pipe mov mp4
  `),
  decoders: list('bmp tiff gif png mjpeg jpeg2000 libopenjpeg libjxl pam pbm pgm ppm psd qoi webp libdav1d libaom-av1'),
};
