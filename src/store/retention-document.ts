/** How long an account keeps things; what is missing is kept as long as the installation keeps it. */
export interface RetentionTimes {
  readonly contentDays?: number;
  readonly messageDays?: number;
  readonly requestDays?: number;
  readonly sandboxHours?: number;
}

/** The times of an account, and how far they are applied. An account that never had any has none. */
export interface RetentionDocument extends RetentionTimes {
  /** The account's. */
  readonly _id: string;
  readonly accountId: string;
  readonly changedAt: Date;
  /** When what is past its time is looked for next. */
  readonly dueAt: Date;
  /** What was past its time then is removed. */
  readonly appliedAt?: Date;
  /** Up to this message bodies were looked at. */
  readonly bodiesUntil?: string;
}
