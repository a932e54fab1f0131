import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { PhoneNumbers } from "../../domain/ports/phone-numbers.ts"
import { makeReturnTarget } from "../../domain/values/origins.ts"
import type { Configuration } from "../config/load.ts"
import { ConfigurationFault } from "../configuration-faults.ts"
import * as HttpShell from "../http/http-shell.ts"
import { HttpSettings } from "../http/settings.ts"
import { documentPath, referencePath } from "../openapi/settings.ts"
import { type Asset, makeAssets } from "../pages/assets.ts"
import { consolePages } from "../pages/console/entry.ts"
import { screensOf } from "../pages/console/own-screens.ts"
import { browsers } from "../pages/navigation.ts"
import { pagesOf } from "../pages/own-pages.ts"
import type { Page } from "../pages/page.ts"
import { pages } from "../pages/pages.ts"
import * as PagesShell from "../pages/pages-shell.ts"
import { makePlaceOf } from "../pages/places.ts"
import { pathOf, type Settings } from "../pages/settings.ts"
import { signInFaults } from "../pages/sign-in/methods.ts"
import { contrastFaults } from "../pages/theme.ts"
import { makeLanguages } from "../texts/languages.ts"

const types: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
}

/** What the pages need of a configuration. */
interface Served
  extends Pick<
    Configuration,
    "settings" | "branding" | "providers" | "rest" | "texts" | "owned" | "accessControl" | "phoneCountry" | "codeDigits"
  > {
  readonly graphql: Pick<Configuration["graphql"], "enabled" | "path">
}

/**
 * The pages, and the REST shell, which then answers navigations of browsers with pages. Fails if two colours of the branding have too
 * little contrast, if one of its files cannot be read, if a page has the path of another route, or if `pages.sign_in` names a way to sign in
 * that the service does not have, or hides all.
 */
export const layer = <R>(auth: Auth<R>, configuration: Served, settings: NonNullable<Configuration["pages"]>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { settings: core, branding: configured, providers, accessControl, phoneCountry, codeDigits, rest, texts, owned } = configuration
      const own = pagesOf(auth)
      const taken = takenPath(Object.values(auth.endpoints), configuration, settings, own, screensOf(auth))
      if (taken !== undefined)
        return yield* new ConfigurationFault({
          faults: [
            `pages.path: found "${settings.path}", which gives a page the path ${taken} of an endpoint or another page, wanted another path`,
          ],
        })
      const has = (name: string) => name in auth.endpoints
      const faults = [
        ...contrastFaults(configured.colors).map((fault) => `branding.colors: found that ${fault}`),
        ...signInFaults({ core, has, pages: own, providers }, settings.sign_in),
      ]
      if (faults.length > 0) return yield* new ConfigurationFault({ faults })

      const images: Record<string, Asset> = {}
      for (const name of ["logo", "logo_dark", "favicon"] as const) {
        const file = configured[name]
        if (file === undefined) continue
        const type = types[extname(file)]
        if (type === undefined) return yield* unreadable(name, file, `a file that ends with ${Object.keys(types).join(", ")}`)
        images[`${name}${extname(file)}`] = { body: yield* read(name, file), type }
      }
      const imageOf = (name: string) => Object.keys(images).find((each) => each.startsWith(`${name}.`)) ?? null
      const css = configured.css === undefined ? null : Buffer.from(yield* read("css", configured.css)).toString("utf8")
      const branding = {
        ...configured,
        css,
        logo: imageOf("logo"),
        logo_dark: imageOf("logo_dark"),
        favicon: imageOf("favicon"),
      }
      const assets = makeAssets(branding, images)
      const site = {
        settings,
        core,
        sameSite: (yield* HttpSettings).cookie.same_site,
        branding,
        languages: makeLanguages(texts, owned.texts),
        providers,
        pages: own,
        accessControl,
        codeDigits,
        signUpAttributes: auth.attributes.filter(({ sign_up }) => sign_up),
        attributes: { user: auth.attributes, organization: auth.organizationAttributes, member: auth.memberAttributes },
        eventTypes: auth.eventTypes,
        asset: (name: string) => pathOf(settings, `/assets/${assets.pathOf(name)}`),
        phoneShown: makePhoneShown(yield* PhoneNumbers, phoneCountry),
        placeOf: makePlaceOf(settings.places),
        has,
        returnTarget: makeReturnTarget(core.public_url, core.trusted_origins),
      }
      return Layer.mergeAll(
        PagesShell.layer(auth, site, assets.byPath),
        HttpShell.layer(auth, { rest: rest.enabled, browsers: browsers(auth, site) }),
      )
    }),
  )

const makePhoneShown =
  ({ read }: PhoneNumbers["Service"], country: string | undefined) =>
  (number: string) =>
    Effect.map(read(number, country), Option.match({ onNone: () => number, onSome: ({ grouped }) => grouped }))

/** The first path of a page that an endpoint, GraphQL, the documentation or a health check has. */
export const takenPath = (
  endpoints: ReadonlyArray<AnyEndpoint>,
  { settings, graphql }: Pick<Served, "settings" | "graphql">,
  pagesSettings: Pick<Settings, "path" | "admin">,
  own: ReadonlyArray<Page> = [],
  screens: Parameters<typeof consolePages>[1] = [],
): string | undefined => {
  const taken = new Set([
    ...endpoints.map(({ path }) => `${settings.base_path}${path}`),
    ...[documentPath, referencePath].map((path) => `${settings.base_path}${path}`),
    ...(graphql.enabled ? [graphql.path] : []),
    "/healthz",
    "/readyz",
  ])
  const paths = [...pages, ...own, ...consolePages(pagesSettings, screens)].map(({ path }) => pathOf(pagesSettings, path))
  return paths.find((path, index) => taken.has(path) || paths.indexOf(path) !== index)
}

const read = (name: string, file: string) =>
  Effect.tryPromise(() => readFile(file)).pipe(Effect.catch(() => unreadable(name, file, "a file that can be read")))

const unreadable = (name: string, file: string, wanted: string) =>
  Effect.fail(new ConfigurationFault({ faults: [`branding.${name}: found "${file}", wanted ${wanted}`] }))
