/**
 * `process.exit()` stops the engine's thread at any point. During a call into SQLite this ends the process with SIGABRT instead
 * of its exit code, because the binding cannot continue. The exit therefore waits for the call, and no other call begins. Data
 * is safe without this: a process may be killed at any moment.
 */
export interface ExitGate {
  /** Shared by both threads. */
  readonly buffer: SharedArrayBuffer;
  /** For the thread that ends the process, before it does: waits for a running call, at most a second. */
  close(): void;
}

/** Makes a call into SQLite; does not return when the process is about to end. */
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
    // The state first: then either this thread sees the closed gate, or the other one sees the running call.
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
