import { readFileSync, statSync } from "node:fs"
import { type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

/** How often each file was imported. */
const imports = new Map<string, number>()

/** The default export of a file of the application. A reload imports the file again: Node keeps modules by their URL. */
export const importDefault = async (path: string): Promise<unknown> => {
  const { href } = pathToFileURL(path)
  const before = imports.get(path) ?? 0
  imports.set(path, before + 1)
  const url = before === 0 ? href : `${href}?reload=${before}`
  const hooks = registerHooks({ resolve, load })
  try {
    // Bundlers of frameworks must not look for the file.
    return (await import(/* turbopackIgnore: true */ /* webpackIgnore: true */ /* @vite-ignore */ url)).default
  } finally {
    hooks.deregister()
  }
}

const isOwn = (url: string | undefined) => url?.startsWith("file:") === true && !url.includes("/node_modules/")

const isFile = (url: URL) => statSync(url, { throwIfNoEntry: false })?.isFile() === true

/** What a relative import can mean to bundlers and to the compiler, which writes `.js` for a `.ts` that it compiles. */
const meanings = (specifier: string) => [
  specifier,
  specifier.replace(/\.([cm]?)js$/, ".$1ts"),
  ...[".ts", ".js", "/index.ts", "/index.js"].map((ending) => specifier + ending),
]

const resolve: ResolveHookSync = (specifier, context, next) => {
  const isRelative = isOwn(context.parentURL) && /^\.\.?(\/|$)/.test(specifier)
  const found = isRelative ? meanings(specifier).find((path) => isFile(new URL(path, context.parentURL))) : undefined
  return next(found ?? specifier, context)
}

const moduleFormats: Readonly<Record<string, string>> = { ts: "module-typescript", js: "module" }

/** A package without `"type": "module"` makes Node refuse such a file, or warn: a bundler or compiler reads its syntax. */
const load: LoadHookSync = (url, context, next) => {
  const format = isOwn(url) && !context.format?.startsWith("module") ? moduleFormats[/\.([jt]s)(?=\?|$)/.exec(url)?.[1] ?? ""] : undefined
  const isModule = format !== undefined && /^(import|export)\b(?!\s*\()/m.test(readFileSync(new URL(url), "utf8"))
  return next(url, isModule ? { ...context, format } : context)
}
