/** Entry of the thread that estimates how easily passwords can be guessed, one after the other. */
import { parentPort } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

export interface Estimate {
  /** Score of zxcvbn, 0 to 4. */
  readonly score: number;
  /** Empty: none. */
  readonly warning: string;
}

export interface EstimateRequest {
  readonly password: string;
  /** Words that are not secret, such as the user's address. */
  readonly known: readonly string[];
}

const estimator = new ZxcvbnFactory({ dictionary: { ...dictionary }, graphs: adjacencyGraphs });

parentPort?.on("message", ({ password, known }: EstimateRequest) => {
  const { score, feedback } = estimator.check(password, [...known]);
  parentPort?.postMessage({ score, warning: feedback.warning ?? "" } satisfies Estimate);
});
