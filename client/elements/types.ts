import type { OrganizationSwitcher } from "./organization-switcher.ts"
import type { SignIn } from "./sign-in.ts"
import type { UserButton } from "./user-button.ts"

interface Attributes<Element extends { readonly client: unknown }> {
  readonly client?: Element["client"]
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
