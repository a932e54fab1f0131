import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseEnv } from "node:util"
import { type Framework, frameworks, type Store } from "./choices.ts"

/** What `init` reads of the application. */
export interface Project {
  readonly folder: string
  /** The frameworks among its dependencies. */
  readonly frameworks: ReadonlyArray<Framework>
  readonly dependencies: Readonly<Record<string, string>>
  readonly packageManager: PackageManager
  /** The folder of the code, with a slash: `src/` or nothing. */
  readonly base: "src/" | ""
  /** The ending of new files. */
  readonly extension: "ts" | "js"
  /** The ending of a relative import of such a file where the program runs without a bundler. */
  readonly importEnding: ".ts" | ".js"
  /** The store that `DATABASE_URL` names. */
  readonly store: Store
}

const lockFiles = {
  "package-lock.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
} as const

export type PackageManager = (typeof lockFiles)[keyof typeof lockFiles]

/** The project in this folder; undefined without a package.json. */
export const readProject = (folder: string, environment: NodeJS.ProcessEnv): Project | undefined => {
  const path = join(folder, "package.json")
  if (!existsSync(path)) return undefined
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, "utf8"))
  const all = { ...devDependencies, ...dependencies }
  const compiler = textOf(join(folder, "tsconfig.json"))
  const importsSources = /"(allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(compiler ?? "")
  return {
    folder,
    frameworks: frameworks.filter((name) => Object.hasOwn(all, name)),
    dependencies: all,
    packageManager: packageManagerOf(folder),
    base: baseOf(folder, Object.hasOwn(all, "next")),
    extension: compiler === undefined ? "js" : "ts",
    importEnding: importsSources ? ".ts" : ".js",
    store: storeOf(databaseUrl(folder, environment)),
  }
}

/** The content of a file; undefined without it. */
export const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined)

/** The file of this name with one of these endings. */
export const fileNamed = (folder: string, name: string): string | undefined =>
  ["ts", "js", "tsx", "jsx", "mjs", "json"].map((ending) => `${name}.${ending}`).find((path) => existsSync(join(folder, path)))

/** Next.js reads `app` in the root before `src/app`. */
const baseOf = (folder: string, isNext: boolean) => {
  const has = (name: string) => existsSync(join(folder, name))
  const inSource = isNext ? !has("app") && !has("pages") && (has("src/app") || has("src/pages")) : has("src")
  return inSource ? "src/" : ""
}

/** That of the nearest lock file: in a workspace it is in a folder above. */
const packageManagerOf = (folder: string): PackageManager => {
  for (const [file, manager] of Object.entries(lockFiles)) if (existsSync(join(folder, file))) return manager
  const parent = dirname(folder)
  return parent === folder || existsSync(join(folder, ".git")) ? "npm" : packageManagerOf(parent)
}

const databaseUrl = (folder: string, environment: NodeJS.ProcessEnv): string => {
  const files = [".env.local", ".env"].map((name) => parseEnv(textOf(join(folder, name)) ?? "").DATABASE_URL)
  return environment["DATABASE_URL"] ?? files.find((url) => url !== undefined) ?? ""
}

const storeOf = (url: string): Store => {
  if (/^postgres(ql)?:/.test(url)) return "postgres"
  return /^mongodb(\+srv)?:/.test(url) ? "mongo" : "embedded"
}

/** Whether git ignores this file. Outside of a repository, the lines of `.gitignore` decide: the folder can become one. */
export const isIgnored = (folder: string, path: string): boolean => {
  const { status } = spawnSync("git", ["check-ignore", "--quiet", path], { cwd: folder, stdio: "ignore" })
  if (status === 0 || status === 1) return status === 0
  const lines = (textOf(join(folder, ".gitignore")) ?? "").split(/\r?\n/).map((line) => line.replace(/^\//, "").trim())
  const patterns = path === ".env.local" ? [path, ".env*", ".env.*", ".env*.local", "*.local"] : [path, path.replace(/\/$/, "")]
  return patterns.some((pattern) => lines.includes(pattern))
}

const installers = {
  npm: ["npm", "install", "--save-exact"],
  pnpm: ["pnpm", "add", "--save-exact"],
  yarn: ["yarn", "add", "--exact"],
  bun: ["bun", "add", "--exact"],
} as const satisfies Record<PackageManager, ReadonlyArray<string>>

/** The command that installs this version; undefined where the package is installed already. */
export const installation = ({ dependencies, packageManager }: Project, version: string): ReadonlyArray<string> | undefined =>
  Object.hasOwn(dependencies, "sallyport") ? undefined : [...installers[packageManager], `sallyport@${version}`]
