import type { Output } from "../surroundings.ts";

/** True for a terminal that shows colours and whose user has not turned them off. */
export function hasColours(output: Output): boolean {
  return output.isTTY === true && output.hasColors?.() !== false;
}
