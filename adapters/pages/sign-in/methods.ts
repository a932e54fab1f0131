import type { Settings } from "../settings.ts"
import type { Site } from "../site.ts"
import { isNamed } from "./method-names.ts"

/** Most providers and own pages that are all on the first level. */
const mostLinked = 3
/** Most other ways that are shown beside the main one without a second level. */
const mostBeside = 2

export const ofProvider = (id: string) => `provider:${id}`
export const ofPage = (path: string) => `page:${path}`
const isLinked = (method: string) => /^(provider|page):/.test(method)

/** The names of all ways to sign in that the service has, in their usual order. */
export const methodsOf = ({ core, has, pages, providers }: Pick<Site, "core" | "has" | "pages" | "providers">): ReadonlyArray<string> =>
  [
    core.email_password.enabled ? ["password"] : [],
    has("emailOtpSend") ? ["email_code"] : [],
    has("magicLinkSend") ? ["magic_link"] : [],
    has("signInPhone") ? ["phone_code"] : [],
    has("passkeyAuthenticateVerify") ? ["passkey"] : [],
    providers.map(ofProvider),
    pages.flatMap(({ path, signIn }) => (signIn === undefined ? [] : [ofPage(path)])),
    has("siweVerify") ? ["wallet"] : [],
  ].flat()

type Listed = Pick<Settings["sign_in"], "order" | "hidden">

export interface Levels {
  /** The ways that visitors see at once. The main way with a name is among them. */
  readonly first: ReadonlyArray<string>
  /** The ways that visitors open. */
  readonly others: ReadonlyArray<string>
  /** The one of these that the browser used last; null without one. */
  readonly last: string | null
}

/** Divides the ways to sign in by the settings, and by the one that the browser used last. Unknown names have no effect. */
export const levelsOf = (methods: ReadonlyArray<string>, { order, hidden }: Listed, used: string | null): Levels => {
  const shown = methods.filter((method) => !hidden.includes(method))
  const last = shown.find((method) => method === used) ?? null
  const front = new Set([...(last === null ? [] : [last]), ...order].filter((method) => shown.includes(method)))
  const sorted = [...front, ...shown.filter((method) => !front.has(method))]
  const main = shown.includes("password") ? "password" : sorted.find(isNamed)
  const hasFewLinked = shown.filter(isLinked).length <= mostLinked
  const isFirst = (method: string) => front.has(method) || method === main || method === "passkey" || (isLinked(method) && hasFewLinked)
  const others = sorted.filter((method) => !isFirst(method))
  if (others.length < 2 || sorted.length - 1 <= mostBeside) return { first: sorted, others: [], last }
  return { first: sorted.filter(isFirst), others, last }
}

/** The providers that the pages show, in order. */
export const providersOf = ({ providers, settings: { sign_in } }: Pick<Site, "providers" | "settings">): ReadonlyArray<string> => {
  const { first, others } = levelsOf(providers.map(ofProvider), sign_in, null)
  return [...first, ...others].map((method) => method.slice(ofProvider("").length))
}

/** What is wrong with `pages.sign_in` in a service with these ways to sign in. */
export const signInFaults = (site: Parameters<typeof methodsOf>[0], { order, hidden }: Listed): ReadonlyArray<string> => {
  const methods = methodsOf(site)
  const wanted = methods.length === 0 ? "no name" : methods.join(", ")
  const unknown = Object.entries({ order, hidden }).flatMap(([key, names]) =>
    names.flatMap((name, index) =>
      isLinked(name) && !methods.includes(name) ? [`pages.sign_in.${key}.${index}: found "${name}", wanted one of ${wanted}`] : [],
    ),
  )
  const isEmpty = hidden.length > 0 && methods.every((method) => hidden.includes(method))
  return isEmpty ? [...unknown, `pages.sign_in.hidden: found all ways to sign in, wanted at least one of ${wanted} left`] : unknown
}
