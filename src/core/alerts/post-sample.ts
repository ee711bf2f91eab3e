import type { TextPart } from "../../shared/phrase.ts";
import type { TargetDocument } from "../../store/target-documents.ts";

/** Sends a sample to an alert target once, and waits for the answer. */
export type PostSample = (target: TargetDocument, sample: Sample) => Promise<SampleResult>;

export interface Sample {
  /** Id of the request for its receiver. */
  readonly eventId: string;
  readonly body: string;
}

export interface SampleResult {
  readonly isAccepted: boolean;
  readonly durationMs: number;
  /** HTTP status of the answer; missing: no answer. */
  readonly status?: number;
  /** Error, or a remark about the answer, for display. */
  readonly detail: string;
  /** Parts of `detail`. Missing: it is known only in English. */
  readonly detailParts?: readonly TextPart[];
  /** The beginning of the answer's body. */
  readonly answer?: string;
}
