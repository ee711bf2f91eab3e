import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/** For a JVM that runs for seconds: the optimizing compiler and the parallel collector would never pay off. */
export const QUICK_JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] as const;

/** Puts an artifact, `group:name:version`, into a folder, from Maven's cache or by Maven. */
export async function mavenCopy(artifact: string, folder: string): Promise<void> {
  const [group = "", name = "", version = ""] = artifact.split(":");
  const jar = `${name}-${version}.jar`;
  const fetched = path.join(homedir(), ".m2/repository", ...group.split("."), name, version, jar);
  // Maven itself takes 3 s of CPU time to find it.
  if (existsSync(fetched)) return symlink(fetched, path.join(folder, jar));
  await run("mvn", ["-q", "-B", MAVEN_COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
}

/** Jakarta Mail and what it needs. */
export async function copyJakartaMail(folder: string): Promise<void> {
  await mavenCopy("com.sun.mail:jakarta.mail:2.0.1", folder);
  await mavenCopy("com.sun.activation:jakarta.activation:2.0.1", folder);
}
