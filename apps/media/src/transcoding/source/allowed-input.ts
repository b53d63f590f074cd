import type { AllowedInput } from '@classroom/sandbox';

const list = (names: string) => names.trim().split(/\s+/);

/** What a source may contain: containers that reference no other file or address, and decoders that are in common use. */
export const SOURCE_INPUT: AllowedInput = {
  formats: list(`
    mov mp4 m4a 3gp 3g2 mj2 matroska webm avi mpegts mpeg flv asf mxf ogg wav w64 aiff caf mp3 aac flac ac3 eac3 amr dv
  `),
  decoders: list(`
    h264 hevc av1 libdav1d libaom-av1 vp8 vp9 libvpx libvpx-vp9 theora mpeg1video mpeg2video mpeg4 msmpeg4v1 msmpeg4v2
    msmpeg4 h263 flv wmv1 wmv2 wmv3 vc1 mjpeg png prores dnxhd dvvideo ffv1 huffyuv rawvideo qtrle tscc tscc2 flashsv
    flashsv2 mss2 aac aac_latm mp3float mp3 mp2float mp2 ac3 eac3 dca opus libopus vorbis libvorbis flac alac wmav1
    wmav2 wmapro amrnb amrwb libopencore_amrnb libopencore_amrwb speex libspeex adpcm_ms adpcm_ima_wav adpcm_ima_qt
    adpcm_swf nellymoser pcm_alaw pcm_mulaw pcm_u8 pcm_s8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be
    pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_dvd pcm_bluray pcm_lxf
  `),
};
