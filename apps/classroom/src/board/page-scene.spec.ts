import { FakeBoardService, FakeDrawer } from './fake-board.js';
import { ApiError } from '../session/session.js';
import { inOrder, isSupported, pictureElement } from './elements.js';

describe('a page on which several people draw', () => {
  let service: FakeBoardService;
  beforeEach(() => {
    jest.useFakeTimers();
    service = new FakeBoardService();
    service.managers.add('ada');
  });
  afterEach(() => jest.useRealTimers());

  const settle = () => jest.advanceTimersByTimeAsync(60_000);
  const open = async (...uids: string[]) => {
    const drawers = uids.map((uid) => new FakeDrawer(service, uid));
    for (const drawer of drawers) drawer.open();
    await jest.advanceTimersByTimeAsync(100);
    return drawers as [FakeDrawer, FakeDrawer];
  };

  it('is the same for everyone, late joiners included, and sends nothing back', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ada.editor.add('a', 1);
    ben.editor.add('b', 2);
    await settle();
    expect([ada.editor.shown(), ben.editor.shown()]).toEqual([
      ['a 1', 'b 2'],
      ['a 1', 'b 2'],
    ]);
    const [late] = await open('late');
    await settle();
    expect(late.editor.shown()).toEqual(['a 1', 'b 2']);
    expect([ada, ben, late].map(({ calls }) => calls.filter((call) => call === 'draw').length)).toEqual([1, 1, 0]);
  });

  it('does not disturb what is being drawn', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ben.editor.add('stroke', 1);
    await settle();
    ben.editor.busy.add('stroke');
    ben.editor.change('stroke', { x: 2 });
    const stroke = () => ben.editor.elements().find(({ id }) => id === 'stroke');
    const before = stroke();
    ada.editor.add('a', 1);
    await settle();
    expect([ben.editor.shown(), stroke() === before]).toEqual([['a 1', 'stroke 2'], true]);
    // A manager clears the page meanwhile. What is drawn afterwards is on it again.
    service.clear();
    await settle();
    expect([ben.editor.shown(), stroke() === before]).toEqual([['stroke 2'], true]);
    ben.editor.change('stroke', { x: 3 });
    ben.editor.busy.clear();
    await settle();
    expect([ada.editor.shown(), ben.editor.shown()]).toEqual([['stroke 3'], ['stroke 3']]);
  });

  it('gives back what the service refused', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ada.editor.add('a', 1);
    await settle();
    expect(ben.editor.elements()[0]?.locked).toBe(true);
    ben.editor.change('a', { x: 9 });
    ben.editor.add('picture', 5, { type: 'image' });
    ben.editor.add('b', 3);
    await settle();
    expect([ada.editor.shown(), ben.editor.shown()]).toEqual([
      ['a 1', 'b 3'],
      ['a 1', 'b 3'],
    ]);
    ben.failures = [new ApiError('FORBIDDEN')];
    ben.editor.change('b', { x: 4 });
    ben.editor.add('c', 5);
    await settle();
    expect([ben.editor.shown(), ben.toasts]).toEqual([['a 1', 'b 3'], ['board:failed.drawing']]);
  });

  it('lets who manages it change what others drew', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ben.editor.add('b', 1);
    await settle();
    ada.editor.change('b', { x: 2 });
    await settle();
    expect([ben.editor.shown(), service.elements.get('b')?.uid]).toEqual([['b 2'], 'ben']);
    ada.editor.change('b', { isDeleted: true });
    await settle();
    expect([ada.editor.shown(), ben.editor.shown()]).toEqual([[], []]);
  });

  it('takes over what waited as soon as the participant has finished', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ben.editor.add('b', 1);
    await settle();
    ben.editor.busy.add('b');
    ada.editor.change('b', { x: 2 });
    await settle();
    expect(ben.editor.shown()).toEqual(['b 1']);
    ben.editor.busy.clear();
    ben.editor.replace([...ben.editor.elements()]);
    expect(ben.editor.shown()).toEqual(['b 2']);
  });

  it('keeps what is on its way, and what the editor has not reported yet', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ben.editor.add('b', 1);
    await settle();
    ben.failures = ['refused', 'refused'];
    ben.editor.change('b', { x: 2 });
    const { onChange } = ben.editor;
    ben.editor.onChange = () => undefined;
    ben.editor.add('unreported', 3);
    ben.editor.onChange = onChange;
    ada.editor.change('b', { x: 9 });
    await jest.advanceTimersByTimeAsync(300);
    ben.push(service.updateSince(1));
    expect(ben.editor.shown()).toEqual(['b 2', 'unreported 3']);
    await settle();
    expect(service.shown()).toEqual(['b 2', 'unreported 3']);
    expect(ada.editor.shown()).toEqual(['b 2', 'unreported 3']);
  });

  it('closes a gap in its updates within seconds', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ada.editor.add('a', 1);
    await jest.advanceTimersByTimeAsync(1_000);
    ben.push({ ...service.updateSince(service.version), base: service.version, version: service.version + 1 });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ben.editor.shown()).toEqual(['a 1']);
  });

  it('has no shape that vanished before it could be seen', async () => {
    const [ada, ben] = await open('ada', 'ben');
    ada.editor.add('dot', 0);
    ada.editor.replace([]);
    ada.editor.add('a', 1);
    ada.editor.add('b', 1);
    await settle();
    ada.editor.replace(ada.editor.elements().filter(({ id }) => id !== 'a'));
    await settle();
    expect([service.elements.has('dot'), service.shown(), ben.editor.shown()]).toEqual([false, ['b 1'], ['b 1']]);
  });

  it('begins with what was drawn a moment ago and is on its way', async () => {
    const [ada] = await open('ada');
    ada.editor.add('a', 1);
    ada.editor.add('b', 2);
    await jest.advanceTimersByTimeAsync(1_000);
    ada.editor.change('a', { x: 3 });
    ada.editor.change('b', { isDeleted: true });
    expect(ada.scene.begin().map(({ id, ...one }) => [id, one.x])).toEqual([['a', 3]]);
    ada.scene.close();
    await settle();
    expect(service.shown()).toEqual(['a 3']);
  });

  it.each([...Array(60).keys()])(
    'is the same for everyone after lost, late and repeated pushes and failed calls (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const pushes: (() => void)[] = [];
      const drawers: FakeDrawer[] = [];
      const push = (from: number) => {
        for (const drawer of drawers) {
          if (random() < 0.3) continue;
          const update = structuredClone(service.updateSince(from));
          for (let copy = random() < 0.2 ? 2 : 1; copy > 0; copy -= 1) pushes.push(() => drawer.push(update));
        }
      };
      for (const uid of ['ada', 'ben', 'cem']) {
        let known = service.version;
        drawers.push(new FakeDrawer(service, uid, () => (push(known), (known = service.version))));
      }
      for (const drawer of drawers) drawer.open();
      let made = 0;
      for (let step = 0; step < 120; step += 1) {
        const { editor, failures } = drawers[Math.floor(random() * drawers.length)]!;
        const shown = editor.elements().filter(({ isDeleted, locked }) => !isDeleted && !locked);
        const one = shown[Math.floor(random() * shown.length)];
        const dice = random();
        if (dice < 0.3) editor.add(`e${(made += 1)}`, step + 1, { index: `a${Math.floor(random() * 9)}` });
        else if (dice < 0.6 && one) editor.change(one.id, { x: 1_000 + step });
        else if (dice < 0.7 && one) editor.change(one.id, { isDeleted: true });
        else if (dice < 0.75 && one) editor.replace(editor.elements().filter(({ id }) => id !== one.id));
        else if (dice < 0.8 && one) editor.busy.add(one.id);
        else if (dice < 0.85) editor.busy.clear();
        else if (dice < 0.9) failures.push(random() < 0.5 ? 'lost' : 'refused');
        else if (dice < 0.91) service.clear();
        if (pushes.length > 0 && random() < 0.6) pushes.splice(Math.floor(random() * pushes.length), 1)[0]?.();
        await jest.advanceTimersByTimeAsync(random() * 300);
      }
      for (const late of pushes) late();
      for (const { editor } of drawers) {
        editor.busy.clear();
        editor.replace([...editor.elements()]);
      }
      await jest.advanceTimersByTimeAsync(120_000);
      for (const { editor } of drawers) expect(editor.shown()).toEqual(service.shown());
    },
  );
});

it('elements are painted by their index, and those with the same index by their id', () => {
  const shape = (id: string, index: string | null) => ({ id, index, type: 'line', version: 1, versionNonce: 1, isDeleted: false });
  const order = inOrder([shape('c', 'a2'), shape('b', 'a1'), shape('a', 'a1'), shape('d', 'Zz')]);
  expect(order.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c']);
});

it.each([
  ['rectangle', true],
  ['freedraw', true],
  ['image', false],
  ['iframe', false],
  ['embeddable', false],
])('an element of the type %s is on a board: %s', (type, expected) => expect(isSupported({ type })).toBe(expected));

it('a picture is on a board if it shows a document', () => {
  const picture = pictureElement('doc_1', { width: 1_600, height: 1_600 }, { x: 640, y: 360 }, []);
  expect(picture).toMatchObject({ fileId: 'doc_1', x: 460, y: 180, width: 360, height: 360, index: 'a0' });
  expect([isSupported(picture), isSupported({ type: 'image', fileId: 'sha' }), isSupported({ type: 'image', fileId: null })]).toEqual([
    true,
    false,
    false,
  ]);
});

it('a picture is above what was drawn before it, and no larger than it was', () => {
  const others = ['a1', 'a3V', 'a3', undefined].map((index) => ({ element: { index } }));
  const picture = pictureElement('doc_1', { width: 40, height: 20 }, { x: 20, y: 10 }, others);
  expect([picture['index'], picture['x'], picture['y'], picture['width'], picture['height']]).toEqual(['a3VV', 0, 0, 40, 20]);
});

/** A small generator of random numbers, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}
