import { Effect } from "effect"
import type { Wire } from "../../application/modules/wire.ts"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Endpoint } from "../../application/service/endpoint.ts"
import type { ModulePage } from "../../application/service/module-page.ts"
import type { AuthError } from "../../domain/errors.ts"
import { goTo as goToPage } from "./account/frame.ts"
import { type Page, Visit } from "./page.ts"
import type { View } from "./view.ts"

// Pages of the operator's modules, for `sallyport/pages`. They are shown, guarded and tested like those of the service.

interface OwnPage extends Omit<Page, "needs"> {
  /** The endpoints of the module that the page calls. */
  readonly endpoints: ReadonlyArray<AnyEndpoint>
}

/** Declares a page of a module, for its part `pages`. */
export const page = ({ endpoints, ...declared }: OwnPage): Page & ModulePage => ({
  ...declared,
  needs: endpoints.map(({ name }) => name),
  "~page": true,
})

/** The pages of the modules. */
export const pagesOf = ({ pages }: Pick<Auth<unknown>, "pages">): ReadonlyArray<Page> => pages as ReadonlyArray<Page & ModulePage>

/** Calls an endpoint of the module, under the session of the visit. The page has to declare the endpoint. */
export const call = <I, O>({ name }: Endpoint<I, O, any>, input: Wire<I>): Effect.Effect<Wire<O>, AuthError, Visit> =>
  Effect.flatMap(Visit, ({ call }) => (call as (name: string, input: Wire<I>) => Effect.Effect<Wire<O>, AuthError>)(name, input))

/** A text of the module in the language of the visitor. */
export const text = ({ texts }: View, key: string, values?: Parameters<View["texts"]["find"]>[1]): string => texts.find(key, values) ?? key

/** Redirects to another page of the account, which shows this text of the service or of the module once. */
export const goTo = goToPage as (page: string, notice?: string) => ReturnType<typeof goToPage>
