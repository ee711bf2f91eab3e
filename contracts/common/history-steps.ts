/** Lengths of the steps of a score history. Weeks begin on Monday, and all steps begin at midnight in UTC. */
export const historySteps = ["day", "week", "month"] as const;

export type HistoryStep = (typeof historySteps)[number];
