import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { typesPath } from "../client-types/types-file.ts"
import { newSecret } from "../config/kept-secret.ts"
import type { Choices, Framework } from "./choices.ts"
import { fileNamed, isIgnored, type Project, textOf } from "./project.ts"
import { configuration } from "./templates/configuration.ts"
import { next } from "./templates/next.ts"
import { express, fastify, hono, separate } from "./templates/server.ts"
import type { NewFile, Write } from "./templates/template.ts"

const templates = { next, express, hono, fastify, separate } as const satisfies Record<Framework, Write>

/** A file of the plan. Only a `new` one is written. `by hand`: the developer has to add its text to a file. */
export interface Planned extends NewFile {
  readonly state: "new" | "unchanged" | "by hand"
  readonly mode?: number
  /** The installed package writes it. */
  readonly isPrinted?: true
  /** Why `init` does not write it. */
  readonly reason?: string
}

export interface Plan {
  readonly files: ReadonlyArray<Planned>
  /** What is left for the developer. */
  readonly steps: ReadonlyArray<string>
}

/** What `init` would write. It writes nothing itself. */
export const planOf = (project: Project, choices: Choices): Plan => {
  const { files, steps, isTyped } = templates[choices.framework](project, choices)
  const base = ["next", "separate"].includes(choices.framework) ? "" : project.base
  const config = { path: `${base}sallyport.config.${project.extension}`, text: configuration(choices) }
  return {
    files: [
      ...[config, ...files].map((file) => planned(project.folder, file)),
      ...(isTyped ? [typesFile(project.folder)] : []),
      secretFile(project.folder),
    ],
    steps: [...steps, ...stepsAfter(project, choices, config.path)],
  }
}

/** An existing file counts under each of its endings: `proxy.js` and `proxy.ts` are the same to Next.js. */
const planned = (folder: string, { path, text }: NewFile): Planned => {
  const existing = existsSync(join(folder, path)) ? path : fileNamed(folder, path.replace(/\.[jt]s$/, ""))
  if (existing === undefined) return { path, text, state: "new" }
  if (existing === path && textOf(join(folder, path)) === text) return { path, text, state: "unchanged" }
  return { path: existing, text, state: "by hand", reason: "it exists" }
}

const secretName = "SALLYPORT_SECRET"

/** The secret, where git cannot commit it. An existing file gets none: the command `secret` prints one. */
const secretFile = (folder: string): Planned => {
  const path = ".env.local"
  const existing = textOf(join(folder, path))
  if (existing === undefined) {
    const text = `${secretName}=${newSecret()}\n`
    return isIgnored(folder, path)
      ? { path, text, state: "new", mode: 0o600 }
      : { path, text, state: "by hand", reason: "git does not ignore it: add .env*.local to .gitignore" }
  }
  if (new RegExp(`^(export )?${secretName}=.`, "m").test(existing)) return { path, text: "", state: "unchanged" }
  return { path, text: `${secretName}=… # npx sallyport secret\n`, state: "by hand", reason: "it exists" }
}

/** Its text is that of the command `types`. */
const typesFile = (folder: string): Planned => ({
  path: typesPath,
  text: "",
  state: existsSync(join(folder, typesPath)) ? "unchanged" : "new",
  isPrinted: true,
})

/** Lets the installed package write the types of the client. If it is not there or fails, this is a step for the developer. */
export const writeTypes = (folder: string, { store }: Choices, plan: Plan): Plan => {
  const isDue = ({ isPrinted, state }: Planned) => isPrinted === true && state === "new"
  if (!plan.files.some(isDue) || areTypesWritten(folder, store)) return plan
  const step = `Write the types of the client: npx sallyport types --out ${typesPath}`
  return { files: plan.files.filter((file) => !isDue(file)), steps: [...plan.steps, step] }
}

const areTypesWritten = (folder: string, store: Choices["store"]): boolean => {
  try {
    const manifest = createRequire(join(folder, "package.json")).resolve("sallyport/package.json")
    const program = join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.sallyport)
    // The types do not depend on these variables, which the configuration needs.
    const url = `${store === "mongo" ? "mongodb" : store}://localhost`
    const env = { DATABASE_URL: url, GOOGLE_CLIENT_ID: "-", GOOGLE_CLIENT_SECRET: "-", ...process.env }
    return spawnSync(process.execPath, [program, "types", "--out", typesPath], { cwd: folder, env, stdio: "ignore" }).status === 0
  } catch {
    return false
  }
}

const stepsAfter = (project: Project, { framework, layout, store, methods }: Choices, config: string): ReadonlyArray<string> => {
  const isServer = framework !== "next" && framework !== "separate"
  const commands = config.includes("/") ? `npx sallyport --config ${config}` : "npx sallyport"
  const needsNodeServer = framework === "hono" && layout === "mount" && !Object.hasOwn(project.dependencies, "@hono/node-server")
  return [
    ...(needsNodeServer ? ["Install @hono/node-server: Sallyport runs on Node."] : []),
    ...(store === "embedded" && !isIgnored(project.folder, ".sallyport/") ? [".gitignore: .sallyport/ (the embedded database)"] : []),
    ...(store === "embedded" ? [] : ["Set DATABASE_URL in .env.local."]),
    ...(methods.includes("google") ? ["Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET in .env.local."] : []),
    "Set SALLYPORT_PUBLIC_URL to the URL that browsers use, unless it is http://localhost:3000.",
    ...(isServer && layout === "mount" ? ["Start your server with node --env-file=.env.local."] : []),
    ...(layout === "proxy" ? [`Start the service: ${commands}`] : []),
    `Check the configuration: ${commands} doctor`,
    "Start the application and open /auth/sign-up.",
    "Add to AGENTS.md: The documentation of Sallyport is node_modules/sallyport/dist/docs/llms.txt",
  ]
}

/** Writes the new files. One that appeared after the plan was made is not changed. */
export const writeFiles = (folder: string, files: ReadonlyArray<Planned>): ReadonlyArray<Planned> =>
  files.map((file) =>
    file.state === "new" && !file.isPrinted && !isWritten(folder, file) ? { ...file, state: "by hand", reason: "it exists" } : file,
  )

const isWritten = (folder: string, { path, text, mode = 0o666 }: Planned): boolean => {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  try {
    writeFileSync(target, text, { flag: "wx", mode })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}
