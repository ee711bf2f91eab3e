import { notImplemented } from "../errors.ts";
import type { Command } from "./command.ts";

export const aggregate: Command = {
  fields: [],
  run: () => {
    throw notImplemented("aggregate");
  },
};
