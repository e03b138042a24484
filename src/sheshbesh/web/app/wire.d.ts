/** The messages of the server: their shapes, for the type checker. */
import type { Board, Stage } from "../board/types.js";
import type { ChainState } from "../fairdice/dice-keeper.js";
import type { Challenge } from "./challenges.js";

export type Side = "white" | "black";
export type Both<T> = Record<Side, T>;

/** One die played by one checker: from, to (in the mover's own numbers), the die, how many checkers it takes. */
export type Step = [origin: number, target: number, die: number, takes: number];

export interface Player {
  name: string;
  kind: "guest" | "user" | "bot" | "engine";
  level: string | null;
  id: string | null;
  rating: number | null;
}

export interface Result {
  winner: Side | null;
  points: number;
  kind: string;
  cube: number;
  reason: string;
}

export interface Card {
  code: string;
  hash: string;
  game: string;
  title: string;
  contest: "points" | "games" | "money";
  length: number | null;
  clock: { code: string; kind: string; delay: number; bank: number };
  dice: string;
  cube: boolean;
  touch_move?: boolean;
  one_pair?: boolean;
  jacoby: boolean;
  beavers: boolean;
  raccoons: boolean;
  automatic_doubles: number;
  options: Record<string, unknown>;
}

/** What a card says of a contest. */
export type Contest = Pick<Card, "contest" | "length">;

export interface Clock extends Both<number> {
  given?: Both<number>;
  running: Side | null;
  delay: number;
  kind: string;
  away?: number;
  at: number;
}

export interface Cube {
  value: number;
  owner: Side | "nobody" | null;
  offered: number | null;
  by: Side | null;
  in_play: boolean;
  automatic: number;
}

export interface Opening {
  by: "draw" | "winner" | "alternate";
  throws: number[][];
  starter: Side | null;
}

/** A line of the list of turns; `guessed`: the engine did not answer in time. */
export interface Turn {
  side: string;
  dice: number[] | null;
  play: string | null;
  kind: string;
  cube?: number;
  guessed?: boolean;
}

/** Everything that a viewer is shown and may do. */
export interface State {
  match: string;
  card: Card;
  rules: string;
  players: Both<Player>;
  you: Side[];
  rated: boolean;
  tutor: boolean;
  /** The tournament that the match is part of, and what that forbids. */
  event?: { id: string; pairing: number; forbids: string[] };
  phase: string;
  game: number;
  opening?: Opening | null;
  score: Both<number>;
  crawford: boolean;
  on_roll: Side | null;
  to_act: Side[];
  allowed: string[];
  allowed_of?: Both<string[]>;
  board: Board | null;
  turn: { dice: number[]; done: number[][]; touched: number | null } | null;
  dice_steps: number;
  pending: { dice: number[]; choose: boolean } | null;
  cube: Cube;
  resignation: { by: Side; kind: string; points: number; pays: number } | null;
  resign_kinds: string[];
  proposal: { by: Side; what: string; points: number } | null;
  clock: Clock | null;
  paused: boolean;
  breaks: Record<string, number | null>;
  pips: Both<number | null>;
  results: Result[];
  winner: Side | null;
  ending: string | null;
  /** The actors whose engine does not answer at present, so that heuristics decide. */
  fallback?: string[];
  dice: ChainState;
  choices?: Stage[];
  race?: boolean;
  history?: Turn[];
  /** Seconds after which the server wants to hear from the page again. */
  beat?: number;
  chouette?: Around;
}

/** What the actor of a chouette may do under one name; `settle`: how many points at most, by member. */
export interface Own {
  allowed: string[];
  answer: { member: string; cube: number; beaver: boolean; beavered: boolean }[];
  double: string[];
  hand_over: string[];
  take_over: boolean;
  settle: Record<string, number>;
  /** Open settlements: points for the one who offers, `own` where that is this name. */
  terms: { member: string; points: number; own: boolean }[];
  side: Side | null;
  hand: boolean;
}

export interface Person {
  name: string;
  bot: boolean;
  stand_in?: boolean;
  level?: string | null;
  role: string;
  you: boolean;
  here: boolean;
  away?: boolean;
  going?: boolean;
  points: number;
}

/** A settlement that is offered: points for the side that offers. */
export interface Terms {
  by: Side;
  points: number;
}

export interface Member {
  name: string;
  playing: boolean;
  value: number;
  owner: string | null;
  offered: string | null;
  advice: string | null;
  terms: Terms | null;
}

/** What stands around the board of a chouette, now or at a moment of its replay. */
export interface Shown {
  people: Person[];
  box: string;
  members: Member[];
  rows: Record<string, number>[];
  sheet: Record<string, number>;
  cubes: boolean;
}

export interface Around extends Shown {
  captain: string;
  stopping: string[];
  asking: boolean;
  chosen_members: boolean;
  mine: Record<string, Own>;
  may_join: boolean;
  over: boolean;
}

/** A table of a chouette as `GET /chouettes/{id}` has it. */
export interface Gathering {
  id: string;
  state: string;
  card: Card;
  people: { name: string; bot: boolean; level?: string | null; you: boolean }[];
  you: string[];
  owner: boolean;
  private: boolean;
  consultation: string;
  chosen_members: boolean;
}

export interface Action {
  type: string;
  [field: string]: unknown;
}

/** An accepted action, and what followed from it. */
export interface Event {
  n: number;
  at: number;
  actor: string;
  type: string;
  then?: {
    dice?: number[];
    play?: string;
    taken_back?: string;
    cube?: number;
    game?: unknown;
    winner?: Side | null;
  };
  /** Of an action of the server: whom it is about. */
  side?: Side;
  guessed?: boolean;
}

export type Grade = "best" | "fine" | "error" | "blunder";

/** A play as the engine has judged it. Equities are in points a game, for the mover. */
export interface Judged {
  play: string;
  dice: number[];
  steps: Step[];
  win: number;
  equity: number;
  loss: number;
  grade: Grade;
  close?: boolean;
}

export interface Reason {
  text: string;
}

/** What judged: a net, and with which build of the core in this browser; without it the server. */
export interface JudgedBy {
  net: { name: string; sha256: string };
  build: string;
}

export interface PlayHint {
  kind: "play";
  candidates: Judged[];
  of: number;
  reason: Reason | null;
  approximate: boolean;
  by?: JudgedBy;
}

export interface CubeHint {
  kind: "cube";
  action: string;
  answer: string;
  no_double: number;
  double_take: number;
  double_drop: number;
  approximate: boolean;
  by?: JudgedBy;
}

/** Chances alone, where there is nothing to decide. */
export interface Outlook {
  kind: "outlook";
  win: number;
  approximate: boolean;
  by?: JudgedBy;
}

export type Hint = PlayHint | CubeHint | Outlook;

interface Verdicts {
  n: number;
  side: Side;
  grade: Grade;
  close?: boolean;
  loss: number;
  approximate?: boolean;
  by?: JudgedBy;
  /** The throw that it is about: put in by the page. */
  dice?: number[] | null;
}

export interface PlayVerdict extends Verdicts {
  kind: "play";
  played: Judged;
  best: Judged;
  reason: Reason | null;
}

/** What should have been done with the cube. */
export interface CubeVerdict extends Verdicts {
  kind: "cube";
  best: string;
}

export type Verdict = PlayVerdict | CubeVerdict;

export interface Said {
  n: number;
  at: number;
  by: string;
  id?: string;
  text?: string;
  phrase?: string;
}

export interface Presence extends Partial<Both<{ here: boolean; rtt?: number | null }>> {
  watchers?: number;
}

/** Who would play once more, or where it goes on. */
export interface Rematch {
  by?: Side;
  id?: string;
  url?: string;
}

/** A frame from the page. */
export interface Sent {
  t: string;
  ref?: string;
  key?: string;
  as?: string;
  d?: { [field: string]: unknown };
}

/** A refusal with the rule that it names; `sent`: what was refused, put in by the connection. */
export interface Refused {
  d: { rule?: string; source?: string | null; text: string } | null;
  sent?: Sent;
}

/** A frame from the server. */
export interface Frame<D = unknown> {
  t: string;
  ref?: string;
  d: D;
  sent?: Sent;
}

export interface StateFrame extends Frame<State> {
  v: number;
  key: string;
  now: number;
  events?: Event[];
}

/** A moment of a replay; what follows `match` is of a chouette alone. */
export interface Moment {
  side: Side;
  kind: string;
  phase?: string;
  board: Board;
  dice: number[] | null;
  dice_steps?: number;
  cube?: number | Partial<Cube>;
  pips: Both<number | null>;
  play: string | null;
  guessed?: boolean;
  query?: Record<string, string>;
  result: Result;
  match?: { winner: Side | null; reason: string };
  by: string;
  member: string;
  answer: string;
  points: number;
  advice: string;
  offer?: string;
  on?: boolean;
  hands: Both<string>;
  cubes: Record<string, Omit<Member, "name" | "advice">>;
  sheet: Record<string, number>;
  advised: Record<string, string>;
}

/** What the server tells a user by any connection; the connection of a table says other things too. */
export type News =
  | { t: "challenges"; d: { to: Challenge[]; by: Challenge[] } }
  | { t: "match"; d: { url: string; late?: boolean; rematch_of?: string } }
  | { t: "turn"; d: { id: string; url: string; title: string } }
  | { t: "rematch_asked"; d: { id: string; url: string; by: string } }
  | { t: "tournament"; d: { event: string } & TournamentTitle };

/** How a tournament is called: of one of a series its kind and time zone say it, in the reader's language. */
export interface TournamentTitle {
  title: string;
  series: string | null;
  zone: string;
}

/** What is replayed: a match or a chouette. */
export interface Replayed {
  card: Card;
  state: string;
  players: Both<Player>;
  you: Side[] & string[];
  games?: Result[];
  game?: number;
  people: { name: string; bot: boolean }[];
}

/** The moments of one game. */
export interface Moments {
  frames: Moment[];
  opening: Opening | null;
  games: number;
  rows: Record<string, number>[];
}

/** A player as lists name them. */
export interface Named {
  id: string;
  name: string;
  kind: string;
  rating?: number | null;
}

/** A table that waits for an opponent. */
export interface Seek {
  id: string;
  by: Named;
  card: string;
  game: string;
  title: string;
  rated: boolean;
}

/** A match that may be watched; it has no `score` where those who watch see it later. */
export interface LiveGame {
  id: string;
  game: string;
  card: string;
  players: Both<{ name: string; level: string | null }>;
  score: Both<number> | null;
}

export interface LobbyList {
  seeks: Seek[];
  live: LiveGame[];
  people: Named[];
  counts: { people: number; playing: number };
}

/** A chouette in a list. */
export interface ListedChouette {
  id: string;
  url: string;
  game: string;
  card: string;
  state: string;
  people: string[];
  ended: number;
}

/** One of the first places of a tournament, on a profile. */
export interface Trophy {
  place: number;
  tournament: { id: string } & TournamentTitle;
  game: string;
  entrants: number;
  at: number;
}

/** A match that is over, in the list of a player's. */
export interface PlayedMatch {
  id: string;
  game: string;
  card: string;
  side: Side;
  winner: Side | null;
  ending: string;
  ended: number;
  players: Both<{ name: string; level: string | null }>;
  score: Both<number>;
}

/** A game in the list of all. */
export interface ListedGame {
  start?: Board;
  name: string;
  title: string;
  region: string;
  description: string;
}

/** A tournament in a list. */
export interface ListedTournament {
  id: string;
  url: string;
  title: string;
  status: string;
  game: string;
  game_title: string;
  card: string;
  contest: string;
  length: number;
  clock: string;
  system: string;
  groups: number;
  boards: string;
  rated: boolean;
  entrants: number;
  limit: number | null;
  starts: number | null;
  ended: number | null;
  /** What kind of series it belongs to: `daily`, `weekly`, `medley`. */
  series: string | null;
  zone: string;
}

export interface Entrant {
  number: number;
  id: string | null;
  name: string;
  kind: string;
  status: string;
  rating: number | null;
  club: string;
  seed: number;
  group: number;
  paused: boolean;
  why: string;
}

/** How a pairing has ended; the score is that of White and Black. */
export interface PairingResult {
  winner: number;
  score: [number, number] | null;
  games: [number, number][];
  how: string;
}

/** Two entrants by number, who meet; Black is 0 for a bye. */
export interface Pairing {
  number: number;
  round: number;
  slot: string;
  group: number;
  white: number;
  black: number;
  length: number;
  status: string;
  match: string | null;
  url: string | null;
  deadline: number | null;
  points: number[];
  result: PairingResult | null;
}

/** Pairings with the names of those who are in them, by number. */
export interface Pairings {
  n: number;
  pairings: Pairing[];
  names: Record<string, string>;
  /** Breaks between games by the length of the match: how many for each player, of how many seconds. */
  breaks: Record<string, [number, number]>;
  /** Whether there may be further ones, where they are read in parts. */
  more?: boolean;
}

export interface Ranked {
  place: number;
  last: number;
  entrant: Entrant;
  score: number;
  wins: number;
  losses: number;
  played: number;
  ties: Record<string, number>;
  bracket: string;
  group: number;
}

/** A line of the standings in short. */
export interface OwnLine {
  place: number;
  last: number;
  number: number;
  name: string;
  score: number;
}

/** A page of the standings, from 1. */
export interface Standings {
  n: number;
  page: number;
  pages: number;
  total: number;
  final: boolean;
  confirmed: boolean;
  tie_breaks: string[];
  rows: Ranked[];
}

/** A match of a bracket: its two by number, where each comes from, and who has won. */
export interface Slot {
  slot: string;
  length: number;
  first: number | null;
  second: number | null;
  from: { kind: string; slot: string }[];
  winner: number | null;
  pairing: Pairing | null;
}

export interface Brackets {
  n: number;
  brackets: { name: string; rounds: { round: number; slots: Slot[] }[] }[];
  names: Record<string, string>;
}

/** One's own place in a tournament, and the match that one is to play. */
export type OwnPlace = Entrant & { pairing: Pairing | null };

/** A tournament, and what this player is and may do in it. */
export interface WholeTournament {
  id: string;
  url: string;
  n: number;
  now: number;
  title: string;
  series: string | null;
  zone: string;
  status: string;
  settings: {
    who: string;
    limit: number | null;
    groups: number;
    boards: string;
    rated: boolean;
    text: string;
    /** Minutes by which those who only watch see the boards later. */
    delay: number;
    public: boolean;
    consolation: string;
    last_chance: boolean;
    draw: string;
    third_place: boolean;
    losses: number;
  };
  system: string;
  card: Card;
  length: number;
  starts: number | null;
  began: number | null;
  ends: number | null;
  check_in_from: number | null;
  due: number | null;
  /** Until when the present round is to be over. */
  due_by: number | null;
  held: number | null;
  round: number;
  rounds: number;
  tie_breaks: string[];
  late_entry: boolean;
  counts: { entered: number; waiting: number; in: number; playing: number };
  entrants: Entrant[];
  /** Pairs that are not to meet, by number. */
  forbidden: number[][];
  /** Those who entered from the same address, by number: for directors and moderators alone. */
  same_address: number[][];
  /** Ids of those who may not write here, and whether this player may. */
  muted: string[];
  may_write: boolean;
  has_brackets: boolean;
  me: OwnPlace | null;
  allowed: string[];
  log: { at: number; what: string; about: number[]; reason: string; by: string }[];
}

/** The review of a match of the podium; `url` once it is made. */
export interface PodiumReview {
  pairing: number;
  white: number;
  black: number;
  players: Both<string>;
  rates: Both<{ rate: number; error: number } | null>;
  url: string | null;
}

/** What the socket of a tournament tells of a new state. */
export interface TournamentNews {
  n: number;
  /** One's own line of the standings, and those beside it. */
  near: OwnLine[];
  status: string;
  me: OwnPlace | null;
}
