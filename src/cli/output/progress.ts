import type { Output } from "../environment.ts";

export interface Progress {
  show(done: number, total: number): void;
  /** Ends the line of the progress. */
  end(): void;
}

/** Progress of a long command: in a terminal one line that changes, elsewhere a line for each 10 %. */
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
