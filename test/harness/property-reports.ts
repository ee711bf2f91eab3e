import fc from "fast-check";

// Reports and CI's list of failures show the text of an error alone: a property's failure says there what failed.
fc.configureGlobal({ includeErrorInReport: true });
