/**
 * Nobody has a message in hand that is due only after this; more than clocks differ, and than a worker reads ahead. What is due
 * earlier is its worker's to decide about.
 */
export const OUT_OF_REACH_MS = 5_000;
