/** Retention times of an account. Missing values are those of the installation. */
export interface RetentionTimes {
  readonly contentDays?: number;
  readonly messageDays?: number;
  readonly requestDays?: number;
  readonly sandboxHours?: number;
}

/** Retention times of an account, and the progress of their application. An account that never set any has none. */
export interface RetentionDocument extends RetentionTimes {
  /** Id of the account. */
  readonly _id: string;
  readonly accountId: string;
  readonly changedAt: Date;
  /** Time of the next removal of expired data. */
  readonly dueAt: Date;
  /** Time of the last complete removal. */
  readonly appliedAt?: Date;
  /** Last message with a checked body. */
  readonly bodiesUntil?: string;
}
