import type { OrganizationSwitcher } from "./organization-switcher.ts"
import type { SignIn } from "./sign-in.ts"
import type { UserButton } from "./user-button.ts"

interface Attributes<Element extends { readonly client: unknown }> {
  /** By default the element makes one of its own. */
  readonly client?: Element["client"]
  /** The service's `public_url`, for a client of its own; by default the origin of the page. */
  readonly "base-url"?: string
  /** The service's `base_path`, for a client of its own. */
  readonly "base-path"?: string
  /** Where the browser goes afterwards, on this origin only. */
  readonly "return-to"?: string
  readonly lang?: string
}

/** The attributes of the elements, for the templates of frameworks. */
export interface Elements {
  readonly "sallyport-user-button": Attributes<UserButton> & {
    /** Lists the other accounts of the browser (module `multi_session`). */
    readonly accounts?: boolean
  }
  readonly "sallyport-organization-switcher": Attributes<OrganizationSwitcher>
  readonly "sallyport-sign-in": Attributes<SignIn> & {
    /** `password`, `passkey`, `magic_link`, separated by spaces. */
    readonly methods?: string
    /** The ids of social providers, separated by spaces. */
    readonly providers?: string
  }
}
