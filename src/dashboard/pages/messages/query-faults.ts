import { Problem } from "../../api/problem.ts";

/** A part of the query that Hermod does not understand. Offsets are in JavaScript characters, from 0. */
export interface QueryFault {
  readonly message: string;
  readonly offset: number;
  /** 0 if the fault has no position. */
  readonly length: number;
}

const PLACE = /\s*\(offset (\d+), length (\d+)\)/;

/** The faults of `q` in a response; empty if its query has none. */
export function queryFaultsOf(error: Error | null): readonly QueryFault[] {
  if (!(error instanceof Problem)) return [];
  return error.errors.flatMap(({ pointer, message }) => {
    if (!pointer.endsWith("/q")) return [];
    const [place = "", offset = 0, length = 0] = PLACE.exec(message) ?? [];
    return [{ message: message.replace(place, ""), offset: Number(offset), length: Number(length) }];
  });
}
