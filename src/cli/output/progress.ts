import type { Output } from "../surroundings.ts";

export interface Progress {
  show(done: number, total: number): void;
  /** What comes after stands on a line of its own. */
  end(): void;
}

/** How far a long command has come: one line that changes in a terminal, a line for each tenth elsewhere. */
export function createProgress(output: Output, isSilent: boolean): Progress {
  let lastTenth = 0;
  return {
    show: (done, total) => {
      if (isSilent || total === 0) return;
      const percent = Math.floor((done * 100) / total);
      if (output.isTTY) output.write(`\r${done} of ${total}, ${percent} %`);
      else if (percent >= lastTenth + 10) output.write(`${done} of ${total}, ${percent} %\n`);
      else return;
      lastTenth = percent - (percent % 10);
    },
    end: () => {
      if (!isSilent && output.isTTY) output.write("\n");
    },
  };
}
