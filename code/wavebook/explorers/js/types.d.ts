// Types that several modules share; for the checker and the reader, never part of what a page gets.

/** Numbers in a row: an array or a typed array. */
export interface Vector extends ArrayLike<number> {
  reduce(step: (sum: number, value: number, index: number) => number, start: number): number;
  map(value: (value: number, index: number) => number): Vector;
  forEach(step: (value: number, index: number) => void): void;
}

/** A place in a drawing, in pixels, or any other pair. */
export type Point = [number, number];

/** A place in space. */
export type Place = [number, number, number];

/** Rows of numbers. */
export type Matrix = number[][];

/** What the control of a numeric trait needs to know. */
export interface Range {
  min: number;
  max: number;
  step: number;
  log?: boolean;
}

/** What the control of a trait allows. */
export type Control = Range | { options: any[] };

/**
 * What can be taken hold of: a point, a line, or with more points an area; and what moving it makes of values: a number,
 * or one of a choice's options.
 */
export interface Grip {
  /** How it looks under the pointer; a "cursor" leaves scrolling up and down to the page, so do areas. */
  kind: "hand" | "cursor" | "map" | "pick";
  points: Point[];
  moves: Record<string, (value: number, from: Point, to: Point) => any>;
}

/** What Python hands over. Each drawing says in its own words what its constants are. */
export interface Spec {
  slug: string;
  traits: Record<string, any>;
  constants: Record<string, any>;
  /** If it is not English: the language's tag, and what the controls offer, in its words. */
  lang?: string;
  words?: Record<string, string>;
  /** Colors of the heatmaps, "#rrggbb", from -1 to 1. */
  diverging: string[];
}

/** A function from values to pixels, which remembers its ends. */
export interface Scale {
  (value: number): number;
  domain: Point;
  range: Point;
  kind: "linear" | "log";
}

/** What a drawing shows, by name: numbers, words, or lists or tables of them. */
export type Shown = { [name: string]: Value };
type Value = number | string | boolean | null | Vector | readonly Value[] | Shown;

/** A drawing: an SVG as wide as its place. */
export interface Panel {
  svg: SVGSVGElement;
  width: number;
  height: number;
  measure(): void;
  /** Shows SVG markup, with a description that says its numbers, and what of it can be dragged. */
  draw(markup: string, description: string, grips?: Grip[]): void;
  /** Lays a map of values in [-1, 1] under the drawing, row by row. */
  map(values: Vector, columns: number, x: number, y: number, width: number, height: number): void;
}

/** A step of what a prediction lets happen. */
export interface Step {
  /** Traits that have their value at once. */
  set: Record<string, any>;
  /** Traits that go to a value. */
  to: Record<string, number>;
  /** Parts of the drawing that come. */
  show: string[];
  seconds: number;
  /** Whether the parts are there at once. */
  holds: boolean;
  /** Whether it goes at constant speed. */
  even: boolean;
}

/** A question, as wavebook/explorers/ask.py writes it. */
export type Asked = {
  question: string;
  answer: string;
  /** The answer as a sentence. */
  told: string;
  because: string;
  /** The answer in words of its own, in place of answer and reason; and the numbers, which come after it in gray. */
  plainly?: string;
  figures?: string;
  /** What the reader may try when it is answered. */
  then?: string;
  /** The traits that the reader can move while the question is open, and what is said of that. */
  free?: string[];
  meanwhile?: string;
  /** What is not drawn while the question is open. */
  hides: string[];
  /** What happens on answering. */
  acts: Step[];
  /** The explorer's traits as it was made, which the question is about. */
  setting: Record<string, any>;
  /** The question and its answer for paper, as HTML. */
  printed: string;
} & (
  | { kind: "choice"; options: { text: string; tempting: string }[] }
  | {
      kind: "number";
      slider: Range & { start: number };
      unit: string;
      near: Point;
      tempting: { low: string; high: string };
    }
  | { kind: "place"; traits: string[]; names: string[]; right: number[][]; tempting: string }
  | {
      kind: "curve";
      /** Where the handles are. */
      places: number[];
      log: boolean;
      slider: Range;
      /** The height at which the sketch begins. */
      start: number;
      /** What the axes are called, across and up. */
      names: [string, string];
      truth: Point[];
      near: number;
      tempting: { low: string; high: string };
    }
);

/** What the reader said: an option's text, a number, a place, a curve's heights, or null for "show me". */
export type Said = string | number | number[] | null;

/** The part of a widget's model that an explorer uses. */
export interface Model {
  get(trait: string): any;
  set(trait: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

/** What an explorer's drawing is made with; T has the traits' values. */
export interface Kit<T> {
  root: HTMLElement;
  /** Its question, if it has one: then nothing moves by itself. */
  asks?: Asked;
  /** Which symbols of the page's formulas its marks show, by their role or manner: { sine: "sin" }. */
  shows: Record<string, string>;
  values(): T;
  set<N extends keyof T & string>(trait: N, value: T[N]): void;
  /**
   * Sets traits while something happens, or, `settled`, for good. The model, its sliders and its kernel have whole steps;
   * what can be drawn in between is drawn there.
   */
  put(setting: Record<string, any>, settled: boolean): void;
  redraw(): void;
  on(target: EventTarget, event: string, listener: (event: any) => void): void;
  /** A role's color in the present theme, for a canvas, which has no style sheet. */
  color(role: string): string;
  /** How much of a part of the drawing is to be seen, from 0 to 1: less than 1 while a question leaves it out. */
  part(name: string): number;
  /** Says that the drawing can show these traits between whole numbers, while something happens. */
  smooth(...traits: (keyof T & string)[]): void;
  /** Calls `step` when the explorer goes. */
  onCleanup(step: () => void): void;
  slider(
    trait: keyof T & string,
    options: {
      label: string;
      style?: string;
      show?: (value: number, values: T) => string;
    } & Partial<Range>,
  ): HTMLInputElement;
  keep(trait: keyof T & string): void;
  choice<N extends keyof T & string>(
    trait: N,
    options: { label: string; style?: string; options?: (T[N] | [T[N], string])[] },
  ): void;
  button(caption: string, press: () => void): HTMLButtonElement;
  panel(options: { height: number | ((width: number) => number); basis?: number; grow?: number }): Panel;
  note(style?: string, lines?: number, narrow?: number): HTMLElement;
}
