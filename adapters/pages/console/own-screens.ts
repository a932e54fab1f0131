import type { Auth } from "../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import type { ConsolePage, ConsoleScreen } from "../../../application/service/module-page.ts"
import type { Permission } from "../../../domain/administration/permissions.ts"
import type { Key } from "../../texts/texts.ts"
import type { Operation } from "../page.ts"
import { goTo as goToScreen, type Screen } from "./screen.ts"

// Screens of the operator's modules, for `sallyport/pages`. They are framed, guarded and tested like those of the service.

interface OwnPage extends Pick<Screen, "show" | "actions" | "problems"> {
  /** Further endpoints of the module, which its buttons call. */
  readonly uses?: ReadonlyArray<AnyEndpoint>
}

/** Declares what a screen of a module shows and does, for its part `console`. */
export const consolePage = (page: OwnPage): OwnPage & ConsolePage => ({ ...page, "~console": true })

/** The screens of the modules. */
export const screensOf = ({ console }: Pick<Auth<unknown>, "console">): ReadonlyArray<Screen> => console.map(screenOf)

const namesOf = (endpoints: ReadonlyArray<AnyEndpoint>) => endpoints.map(({ name }) => name as Operation)

const screenOf = ({ path, label, needs, page }: ConsoleScreen): Screen => {
  const { uses = [], show, actions, problems } = page as OwnPage & ConsolePage
  const [permission = null, ...also] = permissionsOf(needs)
  return {
    path,
    permission,
    also,
    needs: namesOf(needs),
    uses: namesOf(uses),
    section: { label: label as Key, group: "extensions" },
    show,
    ...(actions && { actions }),
    ...(problems && { problems }),
  }
}

const permissionsOf = (endpoints: ReadonlyArray<AnyEndpoint>): ReadonlyArray<Permission> => [
  ...new Set(endpoints.flatMap(({ access }) => (typeof access === "object" && access.permission !== null ? [access.permission] : []))),
]

/** Redirects to another screen of the console, which shows this text of the service or of the module once. */
export const toScreen = goToScreen as (
  path: string,
  notice?: string,
  query?: Readonly<Record<string, string>>,
) => ReturnType<typeof goToScreen>
