/** A link that opens a report without a session, in `reportLinks`. Its token contains its id and is not stored. */
export interface ReportLinkDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly reportId: string;
  /** Name of the subject of the report. */
  readonly reportName: string;
  readonly note?: string;
  readonly createdAt: Date;
  /** End of its validity. */
  readonly endsAt: Date;
  /** A member has ended it. */
  readonly revokedAt?: Date;
  /** Number of times that the report was opened. */
  readonly opens: number;
  /** Number of times that the PDF was downloaded. */
  readonly downloads: number;
  readonly firstOpenedAt?: Date;
  readonly lastOpenedAt?: Date;
  /** Retention of the report. */
  readonly expireAt: Date;
}
