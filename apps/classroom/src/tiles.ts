import type { Track } from 'livekit-client';
import { colorOf } from './color.js';
import type { Person } from './connection.js';
import { h, icon } from './dom.js';

const GAP = 8;
const ASPECT = 16 / 9;
/** More tiles than this are no faces any more; who shows a picture comes first. */
const MOST_TILES = 25;

interface Content {
  key: string;
  person: Person;
  video: Track | undefined;
  isScreen: boolean;
}

/** The stage: a tile for each person and each shared screen, as large as they can be; and everybody's sound. */
export class Tiles {
  private readonly rows = h('div', { class: 'rows' });
  readonly element = h('section', { class: 'stage', 'aria-label': 'People in class' }, this.rows);
  private readonly tiles = new Map<string, Tile>();
  private readonly sounds = new Map<string, { track: Track; element: HTMLMediaElement }>();

  constructor() {
    new ResizeObserver(() => this.arrange()).observe(this.element);
  }

  show(people: readonly Person[]): void {
    const contents = chosen(people);
    const keys = new Set(contents.map(({ key }) => key));
    for (const [key, tile] of this.tiles) if (!keys.has(key)) this.remove(key, tile);
    contents.forEach((content, place) => {
      const tile = this.tiles.get(content.key) ?? new Tile();
      this.tiles.set(content.key, tile);
      tile.show(content);
      // Moving an element restarts its video: only what stands elsewhere is moved.
      const standing = this.rows.children[place];
      if (standing !== tile.element) this.rows.insertBefore(tile.element, standing ?? null);
    });
    this.play(people.filter(({ isLocal }) => !isLocal));
    this.arrange();
  }

  clear(): void {
    this.show([]);
  }

  private remove(key: string, tile: Tile): void {
    tile.show(undefined);
    tile.element.remove();
    this.tiles.delete(key);
  }

  private play(others: readonly Person[]): void {
    const tracks = new Map(others.map(({ uid, microphone }) => [uid, microphone]));
    for (const [uid, { track, element }] of this.sounds) {
      if (tracks.get(uid) === track) continue;
      track.detach(element);
      element.remove();
      this.sounds.delete(uid);
    }
    for (const [uid, track] of tracks) {
      if (!track || this.sounds.has(uid)) continue;
      const element = track.attach();
      element.dataset['uid'] = uid;
      document.body.append(element);
      this.sounds.set(uid, { track, element });
    }
  }

  /** The number of columns that gives the largest tiles. */
  private arrange(): void {
    const { clientWidth, clientHeight } = this.element;
    const count = this.tiles.size;
    let best = { columns: 1, width: 0 };
    for (let columns = 1; columns <= count; columns += 1) {
      const rows = Math.ceil(count / columns);
      const byWidth = (clientWidth - GAP * (columns + 1)) / columns;
      const byHeight = ((clientHeight - GAP * (rows + 1)) / rows) * ASPECT;
      const width = Math.floor(Math.min(byWidth, byHeight));
      if (width > best.width) best = { columns, width };
    }
    this.rows.style.width = `${best.columns * (best.width + GAP) - GAP}px`;
    this.rows.style.setProperty('--tile', `${best.width}px`);
  }
}

function chosen(people: readonly Person[]): Content[] {
  const faces = people.map((person) => ({ key: person.uid, person, video: person.camera, isScreen: false }));
  const screens = people
    .filter(({ screen }) => screen)
    .map((person) => ({ key: `${person.uid}/screen`, person, video: person.screen, isScreen: true }));
  if (faces.length + screens.length > MOST_TILES) faces.sort((a, b) => Number(Boolean(b.video)) - Number(Boolean(a.video)));
  return [...screens, ...faces].slice(0, MOST_TILES);
}

class Tile {
  private readonly initials = h('span', { class: 'initials', 'aria-hidden': 'true' });
  private readonly name = h('span', { class: 'name' });
  private readonly mute = h('span', { class: 'muted', title: 'Muted' }, icon('microphoneOff'), h('span', { class: 'unseen' }, 'muted'));
  private readonly video = h('video', { autoplay: true, playsinline: true, hidden: true });
  readonly element = h('div', { class: 'tile' }, this.initials, this.video, h('div', { class: 'label' }, this.name, this.mute));
  private track: Track | undefined;

  constructor() {
    this.video.muted = true;
  }

  show(content: Content | undefined): void {
    this.attach(content?.video);
    if (!content) return;
    const { person, isScreen, video } = content;
    this.element.dataset['uid'] = person.uid;
    this.video.dataset['uid'] = person.uid;
    this.video.dataset['source'] = isScreen ? 'screen' : 'camera';
    this.element.classList.toggle('screen', isScreen);
    this.element.classList.toggle('own', person.isLocal && !isScreen);
    this.element.classList.toggle('speaking', person.isSpeaking && !isScreen);
    this.video.hidden = !video;
    this.initials.hidden = Boolean(video);
    this.initials.textContent = initialsOf(person.name);
    this.initials.style.background = colorOf(person.uid);
    this.name.textContent = isScreen ? `${person.name}’s screen` : person.isLocal ? `${person.name} (you)` : person.name;
    this.mute.hidden = isScreen || !person.isMuted;
  }

  private attach(track: Track | undefined): void {
    if (track === this.track) return;
    this.track?.detach(this.video);
    this.track = track;
    track?.attach(this.video);
  }
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0] ?? '').join('').toUpperCase();
}
