// Written by tools/look.py from measures.json.

export const SHAPES = {
  wide: {
    rimX: 100,
    bar: 100,
    rimY: 62,
    half: 540,
    length: 425,
    r: 46.5,
    die: 96,
    cube: 74,
    tray: 68,
    text: 27,
  },
  narrow: {
    rimX: 70,
    bar: 74,
    rimY: 80,
    half: 655,
    length: 530,
    r: 47.5,
    die: 150,
    cube: 58,
    tray: 42,
    text: 46,
  },
  low: {
    rimX: 70,
    bar: 74,
    rimY: 52,
    half: 540,
    length: 425,
    r: 46.5,
    die: 130,
    cube: 66,
    tray: 46,
    text: 40,
  },
};

export const DRAWN = 5;

export const CRESCENT = 1.2;
