import type { AnyEndpoint } from "./endpoint.ts"

/**
 * A page that a module adds to those of the service. `sallyport/pages` makes it, and the adapter that shows pages reads it; for other shells it
 * has no meaning.
 */
export interface ModulePage {
  /** Below `pages.path`. */
  readonly path: string
  readonly "~page": true
}

/** What a screen of the console shows and does. `sallyport/pages` makes it, and only the adapter that shows pages reads it. */
export interface ConsolePage {
  readonly "~console": true
}

/** A screen that a module adds to the console. */
export interface ConsoleScreen {
  /** Below `pages.admin.path`. */
  readonly path: string
  /** The key of the text of its link in the navigation. */
  readonly label: string
  /** The endpoints that it calls to show itself. It is for administrators with the permissions of all of them. */
  readonly needs: ReadonlyArray<AnyEndpoint>
  readonly page: ConsolePage
}
