import type { MessageState } from "../../shared/message-state.ts";
import type { Output } from "../environment.ts";

export type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colors a text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

const SEQUENCES: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function createPaint(enabled: boolean): Paint {
  if (!enabled) return (_colour, text) => text;
  return (colour, text) => {
    const [begin, end] = SEQUENCES[colour];
    return `\u001b[${begin}m${text}\u001b[${end}m`;
  };
}

const stateColours: Readonly<Record<MessageState, Colour>> = {
  delivered: "green",
  captured: "green",
  accepted: "cyan",
  queued: "cyan",
  sending: "cyan",
  scheduled: "yellow",
  deferred: "yellow",
  bounced: "red",
  suppressed: "red",
  expired: "red",
  failed: "red",
  complained: "red",
  cancelled: "dim",
};

/** A message state, or the event that led to it, in its color. */
export function paintState(paint: Paint, state: string): string {
  const colours: Readonly<Record<string, Colour>> = stateColours;
  const colour = colours[state];
  return colour ? paint(colour, state) : state;
}

/** True for a terminal that shows colors, unless the user has turned them off. */
export function hasColours(output: Output): boolean {
  return output.isTTY === true && output.hasColors?.() !== false;
}
