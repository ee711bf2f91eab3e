import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/** Has Maven put an artifact, `group:name:version`, into a folder. */
export async function mavenCopy(artifact: string, folder: string): Promise<void> {
  await run("mvn", ["-q", "-B", MAVEN_COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
}

/** Jakarta Mail and what it needs. */
export async function copyJakartaMail(folder: string): Promise<void> {
  await mavenCopy("com.sun.mail:jakarta.mail:2.0.1", folder);
  await mavenCopy("com.sun.activation:jakarta.activation:2.0.1", folder);
}
