/**
 * No worker holds a message that is due only after this time: it is longer than clocks differ, and than a worker
 * reads ahead. For earlier messages, the worker decides.
 */
export const OUT_OF_REACH_MS = 5_000;
