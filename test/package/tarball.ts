import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"

export const repository = join(import.meta.dirname, "../..")

/** The repository's Node and tools first: `npm` alone would run another Node. */
export const environment = {
  HOME: process.env["HOME"] ?? "",
  PATH: [dirname(process.execPath), join(repository, "node_modules/.bin"), process.env["PATH"] ?? ""].join(":"),
}

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-package-"))
  folders.push(folder)
  return folder
}

/** Builds and packs the package; the path of the tarball. */
export const pack = (): string => {
  const folder = temporaryFolder()
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: repository, env: environment, stdio: "pipe" })
  return join(folder, "sallyport-0.1.0.tgz")
}

/** An empty project with the package in it. */
export const install = (tarball: string): string => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }))
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball]
  execFileSync("npm", args, { cwd: folder, env: environment, stdio: "pipe" })
  return folder
}

export const run = (folder: string, command: string, ...args: ReadonlyArray<string>): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd: folder, env: environment, encoding: "utf8" })
