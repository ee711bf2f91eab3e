// A reporter of vitest: its JSON report, with errors of hooks (beforeAll, afterAll) as the message of their file. The
// original names a file that failed only in a hook, but not why.
import { JsonReporter } from "vitest/node";

export default class JsonReport extends JsonReporter {
  #hookErrors = new Map();

  onTestRunEnd(modules) {
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()];
      const errors = suites.flatMap((suite) => suite.errors()).map((error) => error.stack ?? error.message);
      this.#hookErrors.set(module.moduleId, errors.join("\n"));
    }
    return super.onTestRunEnd(modules);
  }

  writeReport(text) {
    const report = JSON.parse(text);
    for (const file of report.testResults) file.message ||= this.#hookErrors.get(file.name) ?? "";
    return super.writeReport(JSON.stringify(report));
  }
}
