import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Auth } from "../../application/service/auth.ts"
import { familyOf, networksOf } from "../http/client-address.ts"
import { makeGuard } from "../http/guard.ts"
import { exactly } from "../http/target.ts"
import type { Asset } from "./assets.ts"
import { consolePages } from "./console/entry.ts"
import { screensOf } from "./console/own-screens.ts"
import { makeFileResponse } from "./encoding.ts"
import { makeHandlers, refusedBy } from "./handlers.ts"
import { pagesOf } from "./own-pages.ts"
import type { Page } from "./page.ts"
import { notFound, pages, resources } from "./pages.ts"
import { redirect } from "./responses.ts"
import { pagesRoute, pathOf, routeOf } from "./settings.ts"
import { hrefOf, type Site } from "./site.ts"
import { wellKnown } from "./well-known.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The routes of all pages whose endpoints the service has, behind the same guard as the routes of REST. */
export const layer = <R>(auth: Auth<R>, site: Site, assets: ReadonlyMap<string, Asset>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const guard = yield* makeGuard(auth)
      const { handlePage, handleResource } = yield* makeHandlers(auth, site)
      const refuse = refusedBy(site)
      const add = <E, A>(method: "GET" | "POST", path: string, handle: (request: Request) => Effect.Effect<Response, E, A>) =>
        router.add(method, path as "/", exactly(path, handle))

      const isNear = nearby(site.settings.admin?.networks ?? [])
      const hidden = handlePage(notFound)
      const handled = (page: Page): typeof hidden => {
        const handle = handlePage(page)
        return page.isConsole === true ? (request, address, id) => (isNear(address) ? handle : hidden)(request, address, id) : handle
      }
      const shown = (page: Page, isLinked: boolean) =>
        guard(handled(page), undefined, { refuse, onSession: page.access === "session", isLinked, route: pagesRoute })
      const replaced = ({ path }: Page) =>
        guard((request) => Effect.succeed(redirect(hrefOf(site, path, queryOf(request)))), undefined, {
          refuse,
          isLinked: true,
          route: pagesRoute,
        })
      for (const page of [...pages, ...pagesOf(auth), ...consolePages(site.settings, screensOf(auth))].filter(({ needs }) =>
        needs.every(site.has),
      )) {
        const path = pathOf(site.settings, page.path)
        if (routeOf(site.settings, page.path) !== undefined) {
          yield* add("GET", path, replaced(page))
          continue
        }
        yield* add("GET", path, shown(page, true))
        if (page.actions !== undefined) yield* add("POST", path, shown(page, false))
      }
      for (const resource of resources.filter(({ needs }) => needs.every(site.has)))
        yield* add("POST", pathOf(site.settings, resource.path), guard(handleResource(resource), undefined, { route: pagesRoute }))
      for (const [name, asset] of assets) yield* add("GET", pathOf(site.settings, `/assets/${name}`), makeFileResponse(asset))
      for (const [path, response] of wellKnown(site)) yield* add("GET", path, () => Effect.succeed(response))
    }),
  )
type Response = HttpServerResponse.HttpServerResponse

/** Whether an address is in one of these networks; every address is, if there are none. */
const nearby = (networks: ReadonlyArray<string>) => {
  const list = networksOf(networks)
  return (address: string | null) => networks.length === 0 || (address !== null && list.check(address, familyOf(address)))
}

const queryOf = ({ url }: Request) => Object.fromEntries(new URLSearchParams(url.split("?").slice(1).join("?")))
