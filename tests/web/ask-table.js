// Matches and advice without a server, in node; `tests/engine/test_wasm_match.py` compares with the library.

import { advise } from "../../src/sheshbesh/web/engine/advice.js";
import { unpacked } from "../../src/sheshbesh/web/engine/bytes.js";
import { Core } from "../../src/sheshbesh/web/engine/core.js";
import { LocalTable } from "../../src/sheshbesh/web/engine/table.js";

const packed = (row) => row && btoa(String.fromCharCode(...row));
const SIDES = ["white", "black"];

/** What a state says, as the test asks the library for it. */
function told({ match, state }) {
  const { score, turn, resignation, row, ...rest } = state;
  const { phase, events, game, rolled, draws, starter, doubler, stake, games, winner, ending } = rest;
  const { white, black, cube, owner, crawford, automatic } = score;
  return {
    ...{ phase, events, game, rolled, draws, starter, doubler, stake, games, winner, ending },
    score: { white, black, cube, owner, crawford, automatic },
    row: packed(row),
    turn: turn && [turn.dice, turn.done.map(({ origin, target, die }) => [origin, target, die])],
    resignation: resignation && [resignation.by, resignation.kind, resignation.points],
    allowed: SIDES.map((side) => match.allowed(state, side)),
    acting: match.toAct(state),
  };
}

/** What is `asked` about matches, scores and advice; `read` gives the bytes of a file of the checkout. */
export async function answer(asked, read) {
  const json = async (name) =>
    JSON.parse(new TextDecoder().decode(await read(`src/sheshbesh/web/engine/${name}`)));
  const [rules, games, equities] = await Promise.all(["rules.json", "games.json", "equities.json"].map(json));
  const files = { rules, games, equities };
  const core = await Core.start(await WebAssembly.compile(await read(asked.module)));
  const answers = { sessions: [], questions: [], advice: [], decided: [] };
  const table = (code, level = "club") =>
    new LocalTable(core, { id: "local-x", code, you: "white", level, seed: "7" }, files);

  for (const { code, actions, row } of asked.sessions ?? []) {
    const found = table(code);
    if (row) found.state = { ...found.state, game: 1, phase: "roll", row: unpacked(row) };
    const then = actions.map(([actor, action]) => found.act(actor, action, 0).then);
    answers.sessions.push({ then, state: told(found), view: found.view(), finish: found.finish() });
  }
  const handles = async (question, net) => {
    const set = core.rules(question.rules);
    const weights = core.net(await read(net));
    return { rules: set, engine: core.engine(set, weights, question.classMap) };
  };
  for (const { code, actions, net, decides } of asked.questions ?? []) {
    const found = table(code, decides);
    for (const [actor, action] of actions) found.act(actor, action, 0);
    const question = found.question();
    answers.questions.push(question);
    if (decides) answers.decided.push([...found.decide(await handles(question, net))].at(-1));
  }
  for (const { net, question, done, made, dice } of asked.advice ?? []) {
    const play = made ? { row: unpacked(made), dice } : undefined;
    answers.advice.push(
      [...advise(core, await handles(question, net), { question, said: done, made: play })].at(-1),
    );
  }
  return answers;
}
