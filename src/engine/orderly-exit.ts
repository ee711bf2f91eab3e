/**
 * `process.exit()` stops the engine's thread wherever it is, and in the middle of a call into SQLite that ends the process
 * with SIGABRT instead of its exit code: the binding cannot go on. So the exit waits for the call, and no other begins.
 * Not what keeps data safe: a process may be killed at any moment.
 */
export interface ExitGate {
  /** Shared by both threads. */
  readonly buffer: SharedArrayBuffer;
  /** For the thread that ends the process, before it does: waits for a call under way, a second at most. */
  close(): void;
}

/** Makes a call into SQLite; does not come back when the process is about to end. */
export type NativeCall = <T>(call: () => T) => T;

const STATE = 0;
const CLOSED = 1;
const FREE = 0;
const BUSY = 1;
const MAX_WAIT_MS = 1_000;

export function createExitGate(): ExitGate {
  const buffer = new SharedArrayBuffer(8);
  const gate = new Int32Array(buffer);
  return {
    buffer,
    close: () => {
      Atomics.store(gate, CLOSED, 1);
      const deadline = performance.now() + MAX_WAIT_MS;
      while (Atomics.load(gate, STATE) === BUSY && performance.now() < deadline) {
        Atomics.wait(gate, STATE, BUSY, deadline - performance.now());
      }
    },
  };
}

/** For the engine's thread. */
export function callsThrough(buffer: SharedArrayBuffer): NativeCall {
  const gate = new Int32Array(buffer);
  const free = () => {
    Atomics.store(gate, STATE, FREE);
    if (Atomics.load(gate, CLOSED) === 1) Atomics.notify(gate, STATE);
  };
  return (call) => {
    // The state first: so either this thread sees that the gate is closed, or the other one that a call is under way.
    Atomics.store(gate, STATE, BUSY);
    if (Atomics.load(gate, CLOSED) === 1) {
      free();
      Atomics.wait(gate, CLOSED, 1);
    }
    try {
      return call();
    } finally {
      free();
    }
  };
}
