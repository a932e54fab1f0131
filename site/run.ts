import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"

// `node site/run.ts build` or `dev`: installs what the site needs unless it is there, writes the pages, and runs the site's builder.

const folder = import.meta.dirname
const lock = join(folder, "package-lock.json")
const installed = join(folder, "node_modules/.package-lock.json")

const run = (command: string, ...args: ReadonlyArray<string>) => {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: "inherit", env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" } })
  if (status !== 0) process.exit(status ?? 1)
}

const isInstalled = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs
// Does not use `npm ci`: it refuses a lock file that lacks optional packages of other platforms, which some registries do not have.
// It asks for these packages in vain, so it waits for seconds between its attempts, not for a minute.
const waits = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000"]
if (!isInstalled) run("npm", "install", "--no-save", "--no-fund", "--no-audit", ...waits)
run(process.execPath, "generate/main.ts")
run("npm", "run", process.argv[2] ?? "build")
