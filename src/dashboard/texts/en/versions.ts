// Texts of the versions of settings: list, comparison and restoration.

export const versions = {
  title: "Versions",
  detail: "Each change of the settings stores a version. Hermod keeps the newest 100.",
  version: (number: number) => `Version ${number}`,
  author: "Stored by",
  unknownAuthor: "an earlier release of Hermod",
  restoredFrom: (version: number) => `restores version ${version}`,
  change: "Change",
  current: "Present state",
  at: "Stored",
  before: "Earlier version",
  after: "Later version",
  compare: "Compare two versions",
  itsChanges: "Its changes",
  compareCurrent: "Compare with the present state",
  secretChanged: "Changed. Hermod never shows the value.",
  noDifference: "The versions are equal.",
  changesBetween: (before: number, after: number) => `Changes from version ${before} to version ${after}`,
  restore: "Restore",
  restoreTitle: (version: number) => `Restore version ${version}`,
  restored: (version: number) => `Version ${version} is restored.`,
};
