import type { JSX } from "react"
import { expectTypeOf, it } from "vitest"
import type { GlobalComponents } from "vue"
import type { Operations } from "../../../client/index.ts"
import { type Client, createClient } from "../../../client/index.ts"
import type {} from "../../../client/react.ts"
import type {} from "../../../client/vue.ts"

// `npm run check` compiles these.

/** The client of a service without optional modules. */
type Small = Client<Pick<Operations, "getSession" | "signOut"> & { readonly signIn: Pick<Operations["signIn"], "email"> }>

it("frameworks know the elements and their attributes", () => {
  const client = createClient()
  expectTypeOf({ client, accounts: true, className: "face" }).toExtend<JSX.IntrinsicElements["sallyport-user-button"]>()
  expectTypeOf({ client, methods: "password", "return-to": "/" }).toExtend<JSX.IntrinsicElements["sallyport-sign-in"]>()
  expectTypeOf({ client }).toExtend<JSX.IntrinsicElements["sallyport-organization-switcher"]>()
  expectTypeOf({ client, methods: 1 }).not.toExtend<JSX.IntrinsicElements["sallyport-sign-in"]>()
  expectTypeOf<GlobalComponents>().toHaveProperty("sallyport-sign-in")
})

it("a client without optional modules signs in and out, and has no organizations", () => {
  expectTypeOf<{ readonly client: Small }>().toExtend<JSX.IntrinsicElements["sallyport-user-button"]>()
  expectTypeOf<{ readonly client: Small }>().toExtend<JSX.IntrinsicElements["sallyport-sign-in"]>()
  expectTypeOf<{ readonly client: Small }>().not.toExtend<JSX.IntrinsicElements["sallyport-organization-switcher"]>()
})
