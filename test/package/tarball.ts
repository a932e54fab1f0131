import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"
import manifest from "../../package.json" with { type: "json" }

export const repository = join(import.meta.dirname, "../..")

/** The environment variables with which this machine reaches the registry. Other settings of the outer npm could change the result. */
const network = /^(node_extra_ca_certs|ssl_cert_(file|dir)|https?_proxy|no_proxy|npm_config_(registry|cafile|fetch_\w+))$/i

/** The environment, with the repository's Node and tools first on the PATH: otherwise `npm` would run another Node. */
export const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => network.test(name))),
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

/** The path of the tarball: `SALLYPORT_TARBALL`, or a tarball that this function builds and packs. */
export const pack = (): string => {
  const given = process.env["SALLYPORT_TARBALL"]
  if (given !== undefined) return given
  const folder = temporaryFolder()
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: repository, env: environment, stdio: "pipe" })
  return join(folder, `sallyport-${manifest.version}.tgz`)
}

/** The path of the tarball of `create-sallyport`, which the build of the package has made. */
export const packCreate = (): string => {
  const folder = temporaryFolder()
  const args = ["pack", join(repository, "packaging/create-sallyport/dist"), "--pack-destination", folder]
  execFileSync("npm", args, { cwd: repository, env: environment, stdio: "pipe" })
  return join(folder, `create-sallyport-${manifest.version}.tgz`)
}

/** Creates a project with the package and these other packages. */
export const install = (tarball: string, ...others: ReadonlyArray<string>): string => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }))
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball, ...others]
  execFileSync("npm", args, { cwd: folder, env: environment, stdio: "pipe" })
  return folder
}

export const run = (folder: string, command: string, ...args: ReadonlyArray<string>): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd: folder, env: environment, encoding: "utf8" })
