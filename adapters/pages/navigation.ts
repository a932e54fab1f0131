import { Effect } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { makeHandlers, refusedBy } from "./handlers.ts"
import { notFound, rendered } from "./pages.ts"
import type { Site } from "./site.ts"

/** Pages in place of JSON for browsers that navigate to an endpoint of another protocol, or to an address without a page. */
export const browsers = <R>(auth: Auth<R>, site: Site) =>
  Effect.map(makeHandlers(auth, site), ({ handlePage }) => {
    const { base_path } = site.core
    const isPagesPath = (path: string) => isBelow(path, site.settings.path) && (base_path === "" || !isBelow(path, base_path))
    return {
      endpoint: ({ name }: AnyEndpoint) => {
        const shown = rendered[name]
        return shown === undefined ? undefined : handlePage(shown)
      },
      unknown: (path: string) => (isPagesPath(path) ? handlePage(notFound) : undefined),
      refuse: refusedBy(site),
    }
  })

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`)
