import { placeOf, sizeOf } from './board-sheet.js';

const sheet = { x: 0, y: 0, width: 1_280, height: 720 };

describe('a sheet of the board', () => {
  it('has the size of what it shows, as far as readers of PDF take it', () => {
    expect(sizeOf(sheet)).toEqual({ width: 960, height: 540 });
    expect(sizeOf({ x: -1e6, y: -1e6, width: 2e6, height: 1e6 })).toEqual({ width: 14_400, height: 7_200 });
    expect(sizeOf({ x: 0, y: 0, width: 2e6, height: 48 })).toEqual({ width: 14_400, height: 3 });
  });

  it('has the document in the middle of the sheet, as large as fits', () => {
    expect(placeOf({ width: 1_600, height: 900 }, sheet)).toEqual({ x: 0, y: 0, width: 960, height: 540 });
    expect(placeOf({ width: 400, height: 600 }, sheet)).toEqual({ x: 300, y: 0, width: 360, height: 540 });
    expect(placeOf({ width: 200, height: 50 }, sheet)).toEqual({ x: 0, y: 150, width: 960, height: 240 });
  });

  it('has it at the same place where more than the sheet is shown', () => {
    const box = { x: -320, y: -80, width: 1_920, height: 1_280 };
    // Left of the sheet are 320 units, above it 80 and below it 480.
    expect(placeOf({ width: 1_600, height: 900 }, box)).toEqual({ x: 240, y: 360, width: 960, height: 540 });
  });
});
