/** The card of a match: one picture with the result, the numbers and boards, drawn in the reader's language. */

/**
 * @typedef {{site: string, rtl: boolean, title: string, score: string, lines: string[],
 *   boards: {title: string, line: string, more: string, address: string}[]}} Card
 */

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 48;
/** A board, which is 1500 by 1204, and the space between two. */
const BOARD = { width: 330, height: 265, gap: 24 };
const PAPER = "#F4EFE6";
const INK = "#231B14";
const QUIET = "#63564A";

/** @param {string} address @returns {Promise<HTMLImageElement>} */
async function loaded(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/**
 * Write a text in lines of at most `width`; the place below it.
 * @param {CanvasRenderingContext2D} ink
 * @param {string} text
 * @param {{x: number, y: number, width: number, size: number, weight?: number, colour?: string}} how
 */
function write(ink, text, { x, y, width, size, weight = 600, colour = INK }) {
  ink.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  ink.fillStyle = colour;
  let line = "";
  let at = y + size;
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && ink.measureText(longer).width > width) {
      ink.fillText(line, x, at);
      at += size * 1.3;
      line = word;
    } else line = longer;
  }
  ink.fillText(line, x, at);
  return at + size * 0.5;
}

/**
 * Draw the card; fails where a picture of a board cannot be had.
 * @param {Card} card
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function drawCard({ site, rtl, title, score, lines, boards }) {
  const images = await Promise.all(boards.map(({ address }) => loaded(address)));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", [title, score, ...lines].join(". "));
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ink.fillStyle = PAPER;
  ink.fillRect(0, 0, WIDTH, HEIGHT);
  ink.direction = rtl ? "rtl" : "ltr";
  ink.textAlign = "start";
  const shown = boards.length * (BOARD.width + BOARD.gap);
  const width = WIDTH - 2 * EDGE - shown;
  const x = rtl ? WIDTH - EDGE : EDGE;
  let y = write(ink, site, { x, y: EDGE, width, size: 26, colour: QUIET });
  y = write(ink, title, { x, y: y + 16, width, size: 44, weight: 700 });
  y = write(ink, score, { x, y, width, size: 28, weight: 500 });
  y += 16;
  for (const line of lines) y = write(ink, line, { x, y, width, size: 28, weight: 500 });
  boards.forEach((board, i) => {
    // The first one stands beside the words.
    const step = (boards.length - i) * (BOARD.width + BOARD.gap) - BOARD.gap;
    const left = rtl ? EDGE + step - BOARD.width : WIDTH - EDGE - step;
    const top = (HEIGHT - BOARD.height) / 2;
    const start = rtl ? left + BOARD.width : left;
    write(ink, board.title, { x: start, y: top - 42, width: BOARD.width, size: 24 });
    ink.drawImage(images[i], left, top, BOARD.width, BOARD.height);
    ink.direction = "ltr";
    ink.textAlign = rtl ? "right" : "left";
    const below = { x: start, width: BOARD.width, size: 22, weight: 500 };
    const next = write(ink, board.line, { ...below, y: top + BOARD.height + 10 });
    ink.direction = rtl ? "rtl" : "ltr";
    ink.textAlign = "start";
    write(ink, board.more, { ...below, y: next, colour: QUIET });
  });
  return canvas;
}
