import { EmptyFolder } from './sdk/empty-folder.js';

/** Code that must compile, and with `@ts-expect-error` code that must not. */
const PAGE = `
import { connectClassroom, defineVirtualClassroom, type ClassroomEnvelope } from '@virtual-classroom/embed';
import '@virtual-classroom/embed/retry';
defineVirtualClassroom();
const element = document.querySelector('virtual-classroom')!;
element.addEventListener('participant_joined', ({ detail, envelope }) => [detail.name satisfies string, envelope.timestamp]);
await element.setMicrophone(false);
const classroom = connectClassroom(document.querySelector('iframe')!);
classroom.on('class_ended', ({ reason }) => reason satisfies string);
// @ts-expect-error no such event
classroom.on('class_lost', () => undefined);
export type Envelope = ClassroomEnvelope<'connected'>;
`;

const REACT = `
import { createElement, createRef } from 'react';
import { VirtualClassroom, type VirtualClassroomHandle } from '@virtual-classroom/embed/react';
const ref = createRef<VirtualClassroomHandle>();
createElement(VirtualClassroom, { ref, src: 'https://classroom.example', title: 'Geometry', onDisconnected: ({ reason }) => reason satisfies string });
// @ts-expect-error a missing source
createElement(VirtualClassroom, { title: 'Geometry' });
`;

const HEADLESS = `
import { HeadlessClassroom } from '@virtual-classroom/embed/headless';
import '@virtual-classroom/embed/video-quality';
const classroom = new HeadlessClassroom({ gatewayUrl: 'https://classroom.example', token: 'a' });
classroom.on('trackSubscribed', ({ uid, track }) => [uid satisfies string, track.attach()]);
// @ts-expect-error an event of the page alone
classroom.on('class_ending_soon', () => undefined);
`;

/** Prints what each entry exports. */
const entries = (...names: string[]) =>
  names.map((name) => `console.log(Object.keys(await import('@virtual-classroom/embed${name}')).join(' '));`).join('\n');

describe('the embed package in an empty folder', () => {
  let folder: EmptyFolder;
  beforeAll(async () => void (folder = await EmptyFolder.with('embed')));
  afterAll(() => folder?.remove());

  it('needs no other package for a page', async () => {
    expect(await folder.typeErrorsOf('page.mts', PAGE)).toEqual([]);
    expect(await folder.node('page.mjs', entries('', '/retry'), {})).toMatch(/\bdefineVirtualClassroom\b.*\n.*\bretryWithBackoff\b/);
  });

  it('has types for React and for a client without a page', async () => {
    folder.addPeers('react', '@types/react', 'livekit-client');
    expect(await folder.typeErrorsOf('react.mts', REACT)).toEqual([]);
    expect(await folder.typeErrorsOf('headless.mts', HEADLESS)).toEqual([]);
    const printed = await folder.node('both.mjs', entries('/react', '/headless', '/video-quality'), {});
    expect(printed).toMatch(/\bVirtualClassroom\b.*\n.*\bHeadlessClassroom\b.*\n.*\bVideoQualityMonitor\b/);
  });
});
