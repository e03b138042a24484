// Asks the core for browsers, in node or in a browser; `tests/engine/test_wasm.py` compares with the native core.

import { DecisionAnalysis } from "../../src/sheshbesh/web/engine/analysis.js";
import { Core, ROW } from "../../src/sheshbesh/web/engine/core.js";
import { rollOut } from "../../src/sheshbesh/web/engine/rollout.js";

const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const text = (array) =>
  btoa(
    Array.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), (byte) =>
      String.fromCharCode(byte),
    ).join(""),
  );

/** The ids of positions, and the positions of these ids. */
function reread(core, rules, rows) {
  const all = Array.from({ length: rows.length / ROW }, (_, i) => rows.slice(i * ROW, (i + 1) * ROW));
  const ids = all.map((row) => core.writeId(rules, row));
  return { ids, reread: text(Uint8Array.from(ids.flatMap((id) => [...core.readId(rules, id).row]))) };
}

/**
 * What the core answers to what is `asked`; `read` gives the bytes of a file of the checkout.
 */
export async function answer(asked, read) {
  const module = await WebAssembly.compile(await read(asked.module));
  let core = await Core.start(module);
  const answers = { isa: core.isa, games: [], faults: [], cube: [], judged: [] };
  if (asked.prove) answers.proved = core.prove();

  for (const game of asked.games) {
    const rules = core.rules(game.rules);
    const net = core.net(await read(game.net));
    const engine = core.engine(rules, net, game.classMap);
    core.free("net", net);
    const utility = core.classes(engine).money;
    const rows = bytes(game.rows);
    const row = (index) => rows.slice(index * ROW, (index + 1) * ROW);
    const values = core.evaluate(engine, rows);
    const plays = game.dice.map((dice, i) => core.plays(rules, row(i), dice));
    const ranked = game.ranks.map(([index, plies]) => {
      const how = { utility, plies, filters: game.filters };
      const seen = [...core.rank(engine, row(index), game.dice[index], how)];
      return {
        pieces: seen.length,
        first: seen[0].every((one) => one.plies === 0),
        last: seen.at(-1).map((one) => [one.index, one.plies, one.equity, text(one.probabilities)]),
      };
    });
    answers.games.push({
      values: text(values),
      plays: plays.map((found) => found.length),
      after: text(Uint8Array.from(plays.flatMap((found) => found.flatMap((play) => [...play.row])))),
      steps: plays.map((found) =>
        found.map((play) =>
          play.steps.map(({ origin, landing, die, takes }) => [origin, landing, die, Number(takes)]),
        ),
      ),
      stages: game.dice
        .slice(0, game.stages)
        .map((dice, i) =>
          core
            .stages(rules, row(i), dice)
            .map(({ isWhole, onward }) => [
              isWhole,
              onward.map(({ origin, landing, die, takes, stage }) => [[origin, landing, die, takes], stage]),
            ]),
        ),
      results: Array.from({ length: rows.length / ROW }, (_, i) => Object.values(core.result(rules, row(i)))),
      start: [false, true].map((black) => text(core.start(rules, black))),
      value: game.values.map(([index, plies]) => text(core.value(engine, row(index), { utility, plies }))),
      refusals: game.refusals.map(({ index, dice, steps, whole }) =>
        Object.values(core.judge(rules, row(index), dice, steps, whole)),
      ),
      ...reread(core, rules, rows),
      perft: game.perft.map(([position, depth]) => core.perft(rules, bytes(position), depth)),
      levels: game.levels.map(({ index, weakness, seed, gain, take, beaver }) => {
        const dice = game.dice[index];
        const how = { utility, plies: 0, filters: game.filters };
        const [ranked] = [...core.rank(engine, row(index), dice, how)];
        const player = { values: game.utility, weakness, seed: BigInt(seed) };
        const { probabilities } = ranked[0];
        const candidates = ranked.map((each) => ({ ...each, dice }));
        return [
          core.pick(rules, row(index), candidates, player),
          core.doubles(rules, row(index), gain, probabilities, player),
          core.answer(rules, row(index), { take, drop: 1, beaver: beaver === 1 }, probabilities, player),
        ];
      }),
      reasons: game.reasons.map(({ index, mine, other, shares, black }) => {
        const [one, two] = [mine, other].map((at, i) => ({
          row: plays[index][at].row,
          probabilities: shares[i],
        }));
        const by = { values: game.utility, weights: game.weights };
        return core
          .reasons(engine, black, one, two, by)
          .map((each) => [each.id, each.mine, each.other, each.weight, each.gained, each.lost]);
      }),
      ranked,
    });
    core.free("engine", engine);
    core.free("rules", rules);
  }

  for (const { heights, efficiency, places } of asked.cube) {
    const points = core.cube(heights, efficiency);
    answers.cube.push([
      ...points.takePoints,
      ...points.cashPoints,
      ...places.flatMap(([chance, owner, height]) => Object.values(core.cubeValue(chance, owner, height))),
    ]);
  }

  for (const { net, question, plies, rollout } of asked.judged) {
    const rules = core.rules(question.rules);
    const weights = core.net(await read(net));
    const engine = core.engine(rules, weights, question.classMap);
    core.free("net", weights);
    const analysis = new DecisionAnalysis(core, { rules, engine }, question);
    const how = rollout && { ...rollout, plays: rollout.plays.map(bytes) };
    const found = rollout
      ? rollOut(core, { rules, engine }, analysis, question, how)
      : analysis.analyse(plies);
    answers.judged.push([...found]);
    core.free("engine", engine);
    core.free("rules", rules);
  }

  // A fault ends the instance; the next question is for a fresh one.
  for (const { game, net, row, dice } of asked.faults) {
    const said = {};
    try {
      const rules = core.rules(game);
      if (net) core.net(bytes(net));
      if (row) core.plays(rules, bytes(row), dice);
    } catch (error) {
      said.message = error.message;
      said.dead = core.dead;
      try {
        core.isa;
      } catch (again) {
        said.again = again.message;
      }
    }
    core = await Core.start(module);
    const rules = core.rules(game);
    said.next = core.plays(rules, core.start(rules, false), [3, 1]).length;
    answers.faults.push(said);
  }
  return answers;
}
