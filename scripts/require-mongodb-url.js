#!/usr/bin/env node
// The suite runs against the embedded engine unless MONGODB_URL is set: a caller that requests MongoDB must get MongoDB.
if (!process.env.MONGODB_URL) {
  console.error("Set MONGODB_URL to a MongoDB 7 replica set that the tests may write to.");
  console.error("Without one at hand: node scripts/test-mongodb.js start, which prints it.");
  process.exit(1);
}
