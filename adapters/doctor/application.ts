import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Configuration } from "../config/load.ts"
import { type Framework, titles } from "../init/choices.ts"
import { fileNamed, type Project, readProject } from "../init/project.ts"
import { pathOf } from "../pages/settings.ts"
import { type Finding, fault, fine, warn } from "./finding.ts"

// What the files of an application say about the service that `init` added to it.

/** An application that uses the service. */
export interface Application {
  readonly project: Project
  readonly framework: Framework
  /** Its file that `init` wrote. */
  readonly file: string
  /** Whether the service runs in its process. */
  readonly isMounted: boolean
}

/** The application in this folder; undefined if it has no such file. */
export const applicationIn = (folder: string): Application | undefined => {
  const project = readProject(folder, {})
  if (project === undefined || !Object.hasOwn(project.dependencies, "sallyport")) return undefined
  for (const framework of project.frameworks) {
    const file = fileNamed(folder, `${project.base}${framework === "next" ? "lib/" : ""}auth`)
    if (file !== undefined) return { project, framework, file, isMounted: /\sfrom\s*["']sallyport["']/.test(read(project, file)) }
  }
  return undefined
}

const read = ({ folder }: Project, file: string) => readFileSync(join(folder, file), "utf8")

/** Paths that have to lead to the service, and one of them to request. */
export interface Place {
  readonly check: "route" | "pages"
  readonly path: string
  readonly probe: string
}

export const placesOf = ({
  settings: { base_path },
  rest,
  pages,
}: Pick<Configuration, "settings" | "rest" | "pages">): ReadonlyArray<Place> => [
  ...(rest.enabled ? [{ check: "route", path: base_path, probe: `${base_path}/get-session` } as const] : []),
  ...(pages === undefined ? [] : [{ check: "pages", path: pages.path.replace(/\/$/, ""), probe: pathOf(pages, "/sign-in") } as const]),
]

/** What to do so that the application sends the requests of a place to the service. */
export const remedyOf = ({ framework, file, isMounted, project: { base, extension } }: Application, { path }: Place): string => {
  if (!isMounted) return `start the service, and let the application or its proxy send ${path}/ to it`
  return framework === "next"
    ? `let ${base}app${path}/[...path]/route.${extension} export the handlers of mount(auth), and proxy.${extension} pass the path`
    : `mount the service in ${file} at ${path}/, before what answers all paths`
}

/** Whether the files of an application mount the service at a place. */
export const fileFinding = (application: Application, place: Place): Finding => {
  const { framework, file, project, isMounted } = application
  const { check, path } = place
  if (!isMounted) return fine(check, `${path}/ leads to a service of its own`)
  if (framework === "next")
    return hasRoute(project, path)
      ? fine(check, `a route of ${project.base}app answers ${path}/`)
      : fault(check, `no route of ${project.base}app answers ${path}/`, remedyOf(application, place))
  return names(read(project, file), path)
    ? fine(check, `${file} names ${path}/`)
    : warn(check, `${file} does not name ${path}/`, remedyOf(application, place))
}

/** Whether a catch-all route of Next.js answers what is below a path. Groups such as `(auth)` are in no path. */
const hasRoute = ({ folder, base }: Project, path: string): boolean => {
  const routes = join(folder, base, "app")
  const files = existsSync(routes) ? readdirSync(routes, { recursive: true, encoding: "utf8" }) : []
  return files.some((file) => {
    const parent = /^(.*\/)\[{1,2}\.{3}[^/]+\/route\.[jt]sx?$/.exec(`/${file.replaceAll("\\", "/")}`)?.[1]
    return parent !== undefined && `${path}/`.startsWith(parent.replaceAll(/\([^/]+\)\//g, ""))
  })
}

/** Whether code names a path, as a text or as a regular expression: `/auth/` is not in `/api/auth/`. */
const names = (code: string, path: string): boolean =>
  code
    .replaceAll("\\", "")
    .split(`${path}/`)
    .slice(0, -1)
    .some((before) => !/\w$/.test(before))

/** Files that show where an application is deployed, by the values of `client_address`. */
const platforms = {
  vercel: ["vercel.json", ".vercel"],
  cloudflare: ["wrangler.toml", "wrangler.json", "wrangler.jsonc"],
  fly: ["fly.toml"],
} as const

/** Whether the addresses of clients arrive. On the developer's machine it does not matter yet. */
export const addressFindings = (
  { framework, isMounted, project: { folder } }: Application,
  { client_address, trusted_proxies }: Pick<Configuration["httpSettings"], "client_address" | "trusted_proxies">,
  isDevelopment: boolean,
): ReadonlyArray<Finding> => {
  if (!isMounted) return []
  if (client_address !== "peer") return [fine("client_address", "read from a field of the platform or proxy")]
  const [platform] = Object.entries(platforms).find(([, files]) => files.some((file) => existsSync(join(folder, file)))) ?? []
  const isUnknown = framework === "next"
  if (!isUnknown && (platform === undefined || trusted_proxies.length > 0)) return []
  const text = isUnknown
    ? `${titles[framework]} passes no client address, so clients share one budget`
    : "the peer of every request is a proxy of the platform, so clients share one budget"
  const remedy =
    platform === undefined ? "set client_address to the field of your platform or proxy" : `set client_address to "${platform}"`
  return [isDevelopment ? { ...fine("client_address", `${text} in production`), remedy } : warn("client_address", text, remedy)]
}
