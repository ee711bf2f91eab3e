import fc from "fast-check";

// Reports and CI's list of failures show only the text of an error, so a property includes its failure there.
fc.configureGlobal({ includeErrorInReport: true });
