/** Why a finished message is refused. */
export interface SourceFault {
  readonly ok: false;
  /** A sentence for its sender. */
  readonly message: string;
}

export function sourceFault(message: string): SourceFault {
  return { ok: false, message };
}
